import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { EarlierMessage } from './earlier-store.ts';

/**
 * Milliseconds of processor time of appending and nothing else: one line, put into JSON once, written to a file that
 * is open, number and tokens in memory. It notices nothing, keeps nothing to go on from, and waits for no disk.
 */
export function measureBareAppend(directory: string, messages: readonly EarlierMessage[]): number {
  const file = openSync(join(directory, randomUUID()), 'a');
  const before = process.cpuUsage();
  let seq = 0;
  let tokens = 0;
  for (const { role, content } of messages) {
    seq += 1;
    const line = {
      seq,
      role,
      content,
      timestamp: new Date().toISOString(),
      tokens: Math.floor(content.length / 4),
    };
    tokens += line.tokens;
    writeSync(file, `${JSON.stringify({ ...line, context: tokens })}\n`);
  }
  const { user, system } = process.cpuUsage(before);
  closeSync(file);
  return (user + system) / 1_000;
}
