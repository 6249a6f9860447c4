import { isSameMachine, type Machine } from './machine.ts';
import type { OwnerRecord } from './owner-record.ts';

/** What is seen of a directory's owner. */
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
  | { readonly kind: 'watch'; readonly reason: 'other-machine' | 'lock-deleted' | 'earlier-version' };

/** Tells what has become of a directory's owner. */
export function judgeOwner(
  { record, silentMs, lockIsFree, life }: SeenOwner,
  { machine, silenceMs }: { readonly machine: Machine; readonly silenceMs: number },
): OwnerVerdict {
  if (record === null) return { kind: lockIsFree ? 'free' : 'alive' };
  if (record.released_at !== null || silentMs >= silenceMs) return { kind: lockIsFree ? 'free' : 'silent' };
  if (record.life === '') return { kind: 'watch', reason: 'earlier-version' };
  if (!isSameMachine(record, machine)) return { kind: 'watch', reason: 'other-machine' };
  if (record.life !== life) return { kind: 'watch', reason: 'lock-deleted' };
  return { kind: lockIsFree ? 'free' : 'alive' };
}
