import { createHash } from 'node:crypto';

/** Exceptions that an operator lets through the gate before a push. Values of the daemon's own secrets are never let through. */
export interface AllowedSecrets {
  /** Files, and directories by their paths with a slash at the end, from the root of the repository. */
  readonly paths: readonly string[];
  /** Fingerprints of values, as the log tells them. */
  readonly fingerprints: readonly string[];
}

export const nothingAllowed: AllowedSecrets = { paths: [], fingerprints: [] };

export function isPathAllowed(path: string, { paths }: AllowedSecrets): boolean {
  return paths.some((allowed) => (allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed));
}

/** Names a value without telling it: the first 16 digits of its SHA-256. */
export function fingerprintOf(value: string): string {
  return createHash('sha256').update(value, 'utf8').digest('hex').slice(0, 16);
}
