import { readSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { requireVersion } from '../context-store-error.ts';
import { identifyFile } from '../disk/files.ts';
import { parseOrNull } from '../disk/stored-values.ts';
import { isSameMachine, type Machine } from './machine.ts';

/** Version of a directory of runs: of its lock, its lists, its notes and what was spent. */
const directoryVersion = 1;

const recordSchema = z
  .object({
    version: z.literal(directoryVersion),
    number: z.number().int().nonnegative(),
    pid: z.number().int().positive(),
    host: z.string(),
    boot: z.string().nullable(),
    /** File whose lock shows that the owner lives, by its number in the file system. */
    life: z.string(),
    acquired_at: z.string(),
    released_at: z.string().nullable(),
  })
  .readonly();

/** Owner of a directory of runs, as `lock.json` names it. */
export type OwnerRecord = z.infer<typeof recordSchema>;

/** Owner whom a new one makes itself. */
export function createRecord(
  { number, life, now }: { readonly number: number; readonly life: string; readonly now: number },
  machine: Machine,
): OwnerRecord {
  const acquired_at = new Date(now).toISOString();
  return {
    version: directoryVersion,
    number,
    pid: process.pid,
    ...machine,
    life,
    acquired_at,
    released_at: null,
  };
}

/** Bytes of the file: written in place, always all of them, so that no crash leaves the end of an older text. */
const size = 512;

/** The file's bytes. A host name may be long, and is cut before the rest suffers. */
export function formatRecord(record: OwnerRecord): Buffer {
  const text = JSON.stringify({ ...record, host: record.host.slice(0, 128) });
  return Buffer.from(`${text.padEnd(size - 1)}\n`);
}

/** Null for a file that says nothing readable: one that is being made, or damaged. */
export function parseRecord(bytes: Buffer): OwnerRecord | null {
  return parseOrNull(bytes.toString('utf8'), (json) => recordSchema.parse(json));
}

/**
 * Requires that the file at a path, which has these bytes, is not of another version. What says nothing readable is of none.
 * @throws {ContextStoreError} `other-version`
 */
export function requireDirectoryVersion(bytes: Buffer, path: string): void {
  const json = parseOrNull<unknown>(bytes.toString('utf8'), (value) => value);
  if (json === null) return;
  requireVersion(json, { version: directoryVersion, place: `"${path}"` });
}

/** Reads an open file from its beginning, into these bytes. */
export function readBytes(fd: number, bytes = Buffer.alloc(size)): Buffer {
  return bytes.subarray(0, readSync(fd, bytes, 0, size, 0));
}

/** Writes an open file from its beginning. */
export function writeBytes(fd: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset, undefined, offset);
}

/** Number of an open file in its file system. */
export const inodeOf = (fd: number): string => String(identifyFile(fd)?.ino);

/** Number of the file that a path leads to now; null when there is none. */
export function inodeAt(path: string): string | null {
  const found = identifyFile(path);
  return found === null ? null : String(found.ino);
}

/** Signs of a directory's owner. */
export interface SeenOwner {
  /** Null when the file says nothing readable. */
  readonly record: OwnerRecord | null;
  /** Milliseconds since its last sign of life, by the file system's clock. */
  readonly silentMs: number;
  /** True when nobody holds the lock that shows life. */
  readonly lockIsFree: boolean;
  /** File that holds that lock now. */
  readonly life: string;
}

/**
 * `free`: the owner is gone. `silent`: it lives, but has said nothing for too long. `alive`: it works. `watch`: its lock
 * proves nothing, so its next sign of life is waited for: it ran on another system, or its files were exchanged.
 */
export type OwnerVerdict =
  | { readonly kind: 'free' | 'silent' | 'alive' }
  | { readonly kind: 'watch'; readonly reason: 'other-machine' | 'lock-deleted' };

/** Tells what has become of a directory's owner. */
export function judgeOwner(
  { record, silentMs, lockIsFree, life }: SeenOwner,
  { machine, silenceMs }: { readonly machine: Machine; readonly silenceMs: number },
): OwnerVerdict {
  if (record === null) return { kind: lockIsFree ? 'free' : 'alive' };
  if (record.released_at !== null || silentMs >= silenceMs) return { kind: lockIsFree ? 'free' : 'silent' };
  if (!isSameMachine(record, machine)) return { kind: 'watch', reason: 'other-machine' };
  if (record.life !== life) return { kind: 'watch', reason: 'lock-deleted' };
  return { kind: lockIsFree ? 'free' : 'alive' };
}
