import type { TaskKey } from '../task-key.ts';
import type { Doorbell } from './doorbell.ts';
import { nameRepository } from './name-repository.ts';

/**
 * Whether the bell has rung for any thread of this one's repository since the process began. A secret alone says
 * nothing: the webhook may not be registered, or not for comments.
 */
export function rememberRung(doorbell: Pick<Doorbell, 'onRing'>): (key: TaskKey) => boolean {
  const rung = new Set<string>();
  doorbell.onRing(null, ({ key }) => void rung.add(nameRepository(key)));
  return (key) => rung.has(nameRepository(key));
}
