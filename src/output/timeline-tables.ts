import type { TimelineRow } from '../analysis/rows.ts';
export function showTimeline(_rows: readonly TimelineRow[]): string {
  return '';
}
