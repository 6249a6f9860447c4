import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hashText } from '../src/hash-text.ts';
import { type MemoryOptions, openMemory } from '../src/memory/create-memory.ts';

export const thread = 'github.com/acme/shop#42';

/** SHA-256 of a comment's body. */
export const bodyHash = (body: string) => hashText(body);

export async function makeMemoryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agent-memory-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** All files of a directory as one text. */
export async function readAllFiles(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  return [...files.map(({ name }) => name), ...texts].join('\n');
}

/** Processes of simulated hosts that share one memory. */
export function createWorld(options: MemoryOptions, { mostRuns = 100 } = {}) {
  const processes = new Set<number>();
  const time = { now: Date.parse('2026-11-01T10:00:00Z') };
  const now = () => new Date(time.now);
  return {
    time,
    /** Starts a process; its heartbeats are sent by `beat`, and `kill` ends it without a word. */
    start: ({ pid, host = 'host-1' }: { readonly pid: number; readonly host?: string }) => {
      const own = { host, pid, startedAt: time.now };
      const tasks = new Set<() => void>();
      processes.add(pid);
      const memory = openMemory(
        { now, ...options },
        {
          processes: { own, isRunning: (other) => processes.has(other) },
          every: (_, task) => {
            tasks.add(task);
            return () => tasks.delete(task);
          },
          mostRuns,
          createId: randomUUID,
        },
      );
      return {
        ...memory,
        beat: () => {
          for (const task of tasks) task();
        },
        kill: () => {
          processes.delete(pid);
          tasks.clear();
        },
      };
    },
  };
}
