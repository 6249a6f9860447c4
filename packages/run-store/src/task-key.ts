import { createHash } from 'node:crypto';

/** SHA-256, in hexadecimal, of a task's canonical text. @see seed 002 §3.3 */
export function hashTaskKey(taskKeyText: string): string {
  return createHash('sha256').update(taskKeyText, 'utf8').digest('hex');
}

/** Tells whether a text is a hash as `hashTaskKey` makes them. */
export function isTaskKeyHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
