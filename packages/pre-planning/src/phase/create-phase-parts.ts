import type { AnswerSource } from '../answers/answer-source.ts';
import { parseRejections } from '../assumption/parse-rejections.ts';
import type { ReadOnlyTools } from '../ports.ts';
import type { PhaseParts, PrePlanningRun } from './phase-parts.ts';
import type { PrePlanningEvent } from './pre-planning-event.ts';
import type { PhaseSettings } from './pre-planning-options.ts';
import { rejectAssumptions } from './reject-assumptions.ts';
import { createStateKeeper, type StateKeeper } from './state-keeper.ts';

/** Puts together what the sub-phases share. */
export function createPhaseParts(
  { source, tools }: { readonly source: AnswerSource; readonly tools: ReadOnlyTools },
  settings: PhaseSettings,
): PhaseParts {
  const keeper = createStateKeeper(settings.saveState, settings.logger);
  return {
    source,
    tools,
    settings,
    keeper,
    announce: (event, key) => announce(event, { key, settings, keeper }),
    check: (run) => check(run, { settings, keeper }),
  };
}

interface Announcing {
  readonly key: string | undefined;
  readonly settings: PhaseSettings;
  readonly keeper: StateKeeper;
}

async function announce(event: PrePlanningEvent, { key, settings, keeper }: Announcing): Promise<void> {
  if (key !== undefined && keeper.state().announced.includes(key)) return;
  try {
    await settings.onEvent(event);
  } catch (err) {
    settings.logger?.warn({ err, event: event.type }, 'a listener of the phase failed');
  }
  if (key !== undefined) await keeper.update(({ announced }) => ({ announced: [...announced, key] }));
}

async function check(
  { checkpoint = async () => 'go' }: PrePlanningRun,
  { settings, keeper }: Pick<Announcing, 'settings' | 'keeper'>,
): Promise<'go' | 'interrupt'> {
  const answer = await checkpoint();
  if (typeof answer === 'string') return answer;
  const { newComments, interrupts = false } = answer;
  const next = interrupts ? 'interrupt' : 'go';
  if (newComments.length === 0) return next;
  const rejections = newComments.flatMap(({ body, isTrusted }) => (isTrusted ? parseRejections(body) : []));
  await keeper.update((state) => ({
    ...rejectAssumptions(state, { rejections, locale: settings.prompt.locale }).change,
    new_comments: [...state.new_comments, ...newComments],
  }));
  return next;
}
