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
