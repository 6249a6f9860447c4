import type { PrePlanningState } from '@agent/pre-planning';
import type { Redact } from '@agent/text/outgoing';

/** Words of the form itself; whoever takes one for a password has it in every such file anyway. */
const formWords: ReadonlySet<string> = new Set<
  | PrePlanningState['current_subphase']
  | PrePlanningState['collection_results'][number]['status']
  | NonNullable<PrePlanningState['collection_plan']>['required_information'][number]['category']
>([
  'understanding',
  'collection_planning',
  'collection',
  'assumption',
  'complete',
  'collected',
  'failed',
  'assumed',
  'codebase',
  'context',
  'external',
]);

/**
 * The state as it may lie on a disk: it holds what models and people said. What refers to an item by its id still does,
 * also where the id itself was a secret.
 */
export function redactState(state: PrePlanningState, hideKnownSecrets: Redact): PrePlanningState {
  const ids = (state.collection_plan?.required_information ?? []).map(({ id }) => id);
  return mapTexts(state, (text) => {
    const shown = hideKnownSecrets(text);
    if (shown === text || formWords.has(text)) return text;
    const item = ids.indexOf(text);
    return item === -1 ? shown : `redacted-${item + 1}`;
  });
}

/** The same data with each of its texts changed; keys stay as they are. */
export function mapTexts<Data>(data: Data, change: (text: string) => string): Data {
  const map = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(map);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));
  };
  return map(data) as Data;
}
