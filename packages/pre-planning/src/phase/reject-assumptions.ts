import { type Locale, parseCommands } from '@agent/text';
import { toGap } from '../assumption/assumption-maker.ts';
import { phaseTexts } from '../texts.ts';
import type { PrePlanningState } from './pre-planning-state.ts';

/** Effect of rejections on a state. */
export interface RejectedAssumptions {
  readonly change: Pick<
    PrePlanningState,
    'assumptions' | 'information_gaps' | 'constraints' | 'collection_results'
  >;
  /** Constraints that the agent is told from now on. */
  readonly constraints: readonly string[];
  /** Labels that no assumption has. */
  readonly unknown: readonly string[];
}

/** An assumption that a person rejects becomes a gap and a constraint; labels of the others stay as they are. */
export function rejectAssumptions(
  state: PrePlanningState,
  { rejections, locale }: { readonly rejections: readonly Rejection[]; readonly locale: Locale },
): RejectedAssumptions {
  const texts = phaseTexts[locale].assumption;
  const reasons = new Map(rejections.map(({ label, reason }) => [label, reason]));
  const rejected = state.assumptions.filter(({ label }) => reasons.has(label));
  const ids = new Set(rejected.map(({ info_id: id }) => id));
  const needs = new Map(state.collection_plan?.required_information.map((need) => [need.id, need]));
  const constraints = rejected.map(({ label, info_id: id, assumed_value: value }) =>
    texts.rejectedConstraint({
      label,
      value,
      wanted: needs.get(id)?.description ?? id,
      reason: reasons.get(label) ?? '',
    }),
  );
  const gaps = rejected.flatMap(({ label, info_id: id }) => {
    const need = needs.get(id);
    return need === undefined ? [] : [toGap(need, texts.rejected(reasons.get(label) ?? ''))];
  });
  return {
    change: {
      assumptions: state.assumptions.filter(({ label }) => !reasons.has(label)),
      information_gaps: [...state.information_gaps, ...gaps],
      constraints: [...state.constraints, ...constraints],
      collection_results: state.collection_results.map((result) =>
        ids.has(result.info_id) ? { ...result, status: 'failed' as const, assumption_made: null } : result,
      ),
    },
    constraints,
    unknown: [...reasons.keys()].filter((label) => rejected.every((one) => one.label !== label)),
  };
}

/** A person's word that an assumption does not hold. */
export interface Rejection {
  /** Label of the assumption, such as `A2`. */
  readonly label: string;
  /** The person's reason; empty when none was given. */
  readonly reason: string;
}

/** One line of a comment is no book. */
const maxReasonChars = 500;

/**
 * Reads `/reject A2 reason` out of a comment, as `parseCommands` finds it. Several labels may stand in one command, and signs
 * may be full-width. Whether its author may steer the agent is for the caller to know.
 *
 * @example
 * parseRejections('/reject A2 we use PostgreSQL'); // [{ label: 'A2', reason: 'we use PostgreSQL' }]
 */
export function parseRejections(body: string): readonly Rejection[] {
  const found = new Map<string, string>();
  for (const { argument } of parseCommands(body, ['reject']).commands) {
    const { labels, reason } = splitArgument(argument);
    for (const label of labels) found.set(label, reason);
  }
  return [...found].map(([label, reason]) => ({ label, reason }));
}

/** Signs between labels, as people write them; `/reject A1 and the rest` has one label and a reason. */
const between = '[\\s,，、;；&＆・と]|and\\s|および|及び';
/** A label ends where a Latin word does not go on: in Japanese the next word follows at once. */
const labels = new RegExp(
  `^(?:(?:${between}){0,8}[AaＡａ][\\d０-９]{1,4}(?![A-Za-z\\d_Ａ-Ｚａ-ｚ０-９]))+`,
  'u',
);

function splitArgument(argument: string): { readonly labels: readonly string[]; readonly reason: string } {
  const [named = ''] = labels.exec(argument) ?? [];
  const written = named.normalize('NFKC').toUpperCase().match(/A\d+/g) ?? [];
  // The sign before a number belongs to it; one that stands alone leads over to the reason.
  const reason = argument
    .slice(named.length)
    .replace(/^[\s:：,、]+/u, '')
    .replace(/^(?:[-–—]\s+|は(?=\p{Script=Han}))/u, '')
    .trim();
  return {
    labels: written.map((label) => `A${Number(label.slice(1))}`),
    reason: reason.slice(0, maxReasonChars).toWellFormed(),
  };
}
