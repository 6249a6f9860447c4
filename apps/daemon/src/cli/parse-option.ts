import type { WorkRole } from '@agent/orchestrator';
import { InvalidArgumentError } from 'commander';

/** Roles of a process that shares a database with others. */
export const roleNames = ['both', 'poll', 'work'];

/** Parses a role. Accepts `look` as well, the former name of `poll`. */
export function parseRole(given: string): WorkRole {
  if (given === 'poll' || given === 'look') return 'look';
  if (given === 'both' || given === 'work') return given;
  throw new InvalidArgumentError(`Allowed choices are ${roleNames.join(', ')}.`);
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90m`, `24h` or `7d` to milliseconds. @throws InvalidArgumentError */
export function parseAge(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? 0);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('Write a number of minutes, hours or days, such as 90m, 24h or 7d.');
}

/** Parses a whole number above 0. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  const count = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  if (count > 0) return count;
  throw new InvalidArgumentError('Write a whole number above 0.');
}
