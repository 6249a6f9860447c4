import { createHash } from 'node:crypto';

/** SHA-256, in hexadecimal, of a task's canonical text. @see seed 002 §3.3 */
export function hashTaskKey(taskKeyText: string): string {
  return createHash('sha256').update(taskKeyText, 'utf8').digest('hex');
}
