import type { Exchange } from '../kafka/exchange.ts';
import { latencyMillis } from './envelope.ts';

/** The latency as `1.234 ms`, to the nanosecond where both times have that resolution; null where it isn't known. */
export function latencyText(exchange: Exchange): string | null {
  const millis = latencyMillis(exchange);
  if (millis === null) return null;
  const isFine = exchange.request.last?.fine === true && exchange.response?.last?.fine === true;
  return `${millis.toFixed(isFine ? 6 : 3)} ms`;
}
