import { createKnownSecrets, findSecrets, replaceSecrets, type SecretValues } from '@agent/text/secrets';
import { buildInheritanceContext } from '../build-inheritance-context.ts';
import type { InheritanceSettings } from '../context-inheritance-options.ts';
import type {
  DecisionConflict,
  InheritedDecision,
  KeyDecision,
  RetractedDecision,
} from '../decisions/decision.ts';
import type { PresentState } from '../decisions/resolve-decisions.ts';
import { fitInheritance } from '../fit-inheritance.ts';
import type { LoadedContext } from '../load-previous-contexts.ts';
import { isUsableSummary } from '../summaries.ts';
import { inheritanceTexts } from '../texts.ts';
import type { EndedRun } from './memory-record.ts';

/** Knowledge that a run takes over from earlier runs of its thread. */
export interface InheritedMemory {
  /** For the end of the system prompt; empty on a new thread. */
  readonly instructions: string;
  /** Open decisions of trusted users first, then other open ones, then stale and replaced ones. */
  readonly decisions: readonly InheritedDecision[];
  /** Open decisions of trusted users that settle one subject in different ways. */
  readonly conflicts: readonly DecisionConflict[];
  /** Decisions that no longer hold, because their comment or the issue was edited or deleted. */
  readonly retracted: readonly RetractedDecision[];
  /** Keys of documents that could not be read: their decisions are missing here. */
  readonly unreadable: readonly string[];
}

export interface InheritMemoryOptions {
  readonly settings: InheritanceSettings;
  readonly present: PresentState;
  readonly hide: (text: string) => string;
  readonly unreadable: readonly string[];
}

/** Newest summaries that are inherited. Decisions are inherited from all runs. */
const mostSummaries = 5;

/** Puts together what a new run inherits from the ended runs, newest first. */
export async function inheritMemory(
  ended: readonly EndedRun[],
  { settings, present, hide, unreadable }: InheritMemoryOptions,
): Promise<InheritedMemory> {
  const texts = inheritanceTexts[settings.fit.locale].memory;
  const withResults = ended.filter(
    ({ summary, decisions }) => isUsableSummary(summary) || decisions.length > 0,
  );
  const loaded = withResults.map((run) => toLoaded(run, { texts, hide }));
  const context = await buildInheritanceContext(loaded, {
    present,
    processingCount: ended.length,
    people: { users: [], hostnames: [] },
    settings,
  });
  if (context === null) return { instructions: '', decisions: [], conflicts: [], retracted: [], unreadable };
  const { keyDecisions: decisions, conflicts, retractedDecisions: retracted } = context;
  const shown = { ...context, previousContexts: context.previousContexts.slice(0, mostSummaries) };
  const { system } = fitInheritance(shown, { ...settings.fit, mode: 'normal' });
  if (system === null) settings.log.skipped(context.inheritedFromUuid, 'no-summary');
  return { instructions: system ?? '', decisions, conflicts, retracted, unreadable };
}

interface TextOptions {
  readonly texts: (typeof inheritanceTexts)['en']['memory'];
  readonly hide: (text: string) => string;
}

function toLoaded(run: EndedRun, { texts, hide }: TextOptions): LoadedContext {
  const { id, thread, status, reason, endedAt } = run;
  const text = isUsableSummary(run.summary) ? run.summary : texts.noSummary;
  return {
    context: {
      ...{ uuid: id, taskKeyText: thread, status, completedAt: endedAt, inheritanceDepth: 0 },
      summary: hide(status === 'failed' ? `${texts.failed(reason ?? '')}\n${text}` : text),
      keyDecisions: run.decisions.map((decision) => hideIn(decision, hide)),
      metadata: { llmProvider: null, model: null },
    },
    lines: { planning: [], tools: [] },
  };
}

function hideIn(decision: KeyDecision, hide: (text: string) => string): KeyDecision {
  const { text, subject } = decision;
  return { ...decision, text: hide(text), subject: subject === null ? null : hide(subject) };
}

/** Takes out secrets that became known after they were stored. Each text is searched once. */
export function createHider(secrets: SecretValues): (text: string) => string {
  const known = createKnownSecrets(secrets);
  const hidden = new Map<string, string>();
  return (text) => {
    const found = hidden.get(text) ?? replaceSecrets(text, findSecrets(text, known));
    hidden.set(text, found);
    return found;
  };
}
