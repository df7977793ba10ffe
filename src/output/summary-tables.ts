import type { SummaryRow } from '../analysis/rows.ts';
export function showSummary(_rows: readonly SummaryRow[]): string {
  return '';
}
