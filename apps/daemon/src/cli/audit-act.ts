import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AuditEntry } from '@agent/orchestrator/watch';
import type { RunStorage } from '@agent/run-store';
import type { CommandIo } from './command-io.ts';
import type { CliTexts } from './texts.en.ts';

/** Act of a command. */
export interface CommandAct {
  readonly action: string;
  /** Name of the task, such as `acme/shop#42`, or of another object; null for none. */
  readonly target: string | null;
  /** Run that it is about. Default none. */
  readonly run?: string | undefined;
}

/** Storage and texts of a command. */
export interface AuditedDirectory {
  readonly storage: Pick<RunStorage, 'notes'>;
  readonly texts: CliTexts;
}

/** Name of the system account that runs the command; undefined if the system does not know it. */
export function operatorName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/**
 * Runs an act and writes it to the audit log: before it has an effect, and its result after. An act that returns `false` is refused. An emergency command works without
 * the log: a failure to write it is a warning.
 */
export async function auditAct<Result>(
  { storage, texts }: AuditedDirectory,
  { action, target, run = undefined }: CommandAct,
  { io, act }: { readonly io: CommandIo; readonly act: () => Promise<Result> },
): Promise<Result> {
  const { createAuditLog } = await import('@agent/orchestrator/watch');
  const audit = createAuditLog(storage.notes, { logger: { info: () => {} }, now: io.now });
  const about = { actor: operatorName() ?? '', via: 'cli', action, target, run: run ?? null } as const;
  const entry = { ...about, id: randomUUID(), at: io.now(), reason: null };
  let isWarned = false;
  const write = async (outcome: AuditEntry['outcome']): Promise<void> => {
    try {
      await audit.write({ ...entry, outcome });
    } catch (error) {
      if (!isWarned) io.warn(texts.auditFailed((error as Error).message));
      isWarned = true;
    }
  };
  await write('started');
  try {
    const result = await act();
    await write(result === false ? 'refused' : 'accepted');
    return result;
  } catch (error) {
    await write('failed');
    throw error;
  }
}
