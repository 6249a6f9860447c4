import type { IndexedRun } from '@agent/run-store';
import type { Row } from './task-store.ts';

/** The run with its fields in the seeds' words. */
export function toRow(run: IndexedRun): Row {
  const fields = Object.entries(run).map(([name, value]) => [toSnakeCase(name), value]);
  return Object.fromEntries(fields) as Row;
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
