import type { ConversationView, Script } from './script.ts';

/** A final summary, as a model is asked for one at the end of a run. */
export interface ScriptedSummary {
  readonly summary: string;
  readonly key_decisions: readonly ScriptedDecision[];
}

/** A decision of a final summary. Fields that are left out count as not named. */
export interface ScriptedDecision {
  readonly text: string;
  readonly subject?: string;
  /** Id of a comment, `thread`, or `agent`. */
  readonly source?: string;
  /** The source in the form of earlier versions. */
  readonly source_comment_id?: string | null;
  readonly replaces?: readonly string[];
  readonly paths?: readonly string[];
  readonly quote?: string;
}

/** Checks whether a request asks for the final summary of a run, instead of going on with it. */
export function asksForSummary({ tools, instructions }: ConversationView): boolean {
  return tools.length === 0 && instructions.includes('"key_decisions"');
}

/**
 * A script that also answers requests for the final summary of a run, which know nothing of the run's conversation but
 * a record of it. Default: what was said last in the record, and no decisions.
 */
export function withFinalSummaries(
  script: Script,
  summarize: (view: ConversationView) => ScriptedSummary = sumUpBriefly,
): Script {
  return (view) => (asksForSummary(view) ? { text: JSON.stringify(summarize(view)) } : script(view));
}

function sumUpBriefly({ messages }: ConversationView): ScriptedSummary {
  const record = messages.map(({ text }) => text).join('\n');
  const said = record.split('[assistant]\n').at(-1) ?? '';
  return { summary: `In the end: ${said.split('\n')[0] ?? ''}`, key_decisions: [] };
}
