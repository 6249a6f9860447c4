import type { Locale } from '@agent/text';
import { describeProblem } from './problem-words.ts';
import { isHold, isSilent, type ServiceProblem, type ServiceState } from './service-state.ts';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

const texts = { en, ja };

/** A queued task, as far as the reason why it waits depends on it. */
export interface QueuedPlace {
  readonly host: string;
  /** `acme/shop`; null if it is unknown. */
  readonly repository: string | null;
  /** True for a run that was paused and that is to continue. */
  readonly isResumed: boolean;
}

/** State of the service, as far as tasks wait because of it. */
export type QueueCauses = Pick<ServiceState, 'problems' | 'processes'>;

/** Says why a task is queued: a hold, else busy slots, else that it waits for its turn. */
export function describeQueued(
  task: QueuedPlace,
  { service, locale }: { readonly service: QueueCauses; readonly locale: Locale },
): string {
  const { queued, resumed } = texts[locale];
  const hold = service.problems.filter(isHold).find((one) => concerns(one, task));
  const words = task.isResumed ? resumed : queued;
  if (hold !== undefined) return words.held(describeProblem(hold, locale).what);
  const slots = countBusySlots(service);
  return slots === null ? words.turn : words.slots(slots);
}

/** Counts the slots of the processes that run tasks, if all of them are busy; null if one is free or if no process reports its slots. */
function countBusySlots({ processes }: QueueCauses): number | null {
  const works = processes.filter((one) => one.role !== 'look' && !isSilent(one));
  const isBusy = works.every(({ running, concurrency }) => (running ?? 0) >= (concurrency ?? 1));
  const slots = works.reduce((sum, { concurrency }) => sum + (concurrency ?? 0), 0);
  return isBusy && slots > 0 ? slots : null;
}

const ofHost: ReadonlySet<string> = new Set(['requests_primary', 'requests_secondary', 'content_writes']);

/** Tells whether a hold concerns a task. */
function concerns(
  { cause, scope }: Pick<ServiceProblem, 'cause' | 'scope'>,
  { host, repository }: QueuedPlace,
): boolean {
  if (scope === null) return true;
  if (ofHost.has(cause)) return scope === host;
  if (cause !== 'money_repository') return true;
  return repository !== null && scope.startsWith(`${host}/`) && scope.endsWith(`/${repository}`);
}
