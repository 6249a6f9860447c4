import type { RunEnding } from '../../ending.ts';
import type { WrittenAnswer } from '../answers/read-answer.ts';
import { readVerification } from '../answers/verification.ts';
import { appendActions } from '../apply-revision.ts';
import { checkPlan } from '../check-plan.ts';
import { exchange, type Reading } from '../exchange.ts';
import { findPlaceholders } from '../find-placeholders.ts';
import type { Plan, VerificationAnswer } from '../model.ts';
import type { Exchange } from '../plan-log.ts';
import type { PlannedRun } from '../planned-run.ts';
import { formatVerificationRequest } from '../prompts/end.ts';
import { formatUnreadRequest, toPlanRules, toToldActions } from '../request-parts.ts';
import { maxAnswers } from './reflect.ts';

/** Places that code found; null where the diff could not be read, which is no "none". */
type FoundPlaces = readonly string[] | null;

/** Has the model verify the work, with the project's own checks, beside what code finds in the diff. */
export async function verify(planned: PlannedRun): Promise<RunEnding | null> {
  const { log, manner, history } = planned;
  const { plan } = log.state;
  if (plan === null) return null;
  return exchange(planned, {
    phase: 'verification',
    checkpoint: 'before_verification',
    tools: 'checking',
    write: async () =>
      formatVerificationRequest({
        criteria: plan.goal_understanding.success_criteria,
        actions: toToldActions(log.state),
        places: (await findPlaces(planned)) ?? [],
        checkTools: [...manner.checkTools],
        history: history?.forVerification() ?? '',
        language: planned.manner.language,
      }),
    read: async (answer, { answers }) =>
      readAnswer(planned, { plan, answer, answers, found: await findPlaces(planned) }),
  });
}

async function findPlaces({ sources, run }: PlannedRun): Promise<FoundPlaces> {
  const { hardSignal: signal } = run.steering;
  try {
    const { count, found } = findPlaceholders((await sources.readDiff({ signal })) ?? '');
    const places = found.map(({ path, line }) => `${path}:${line}`);
    return count > places.length ? [...places, `and ${count - places.length} more`] : places;
  } catch (err) {
    run.settings.logger?.warn({ err }, 'failed to read changes; skipping placeholder check');
    return null;
  }
}

interface Answered extends Pick<Exchange, 'answers'> {
  readonly plan: Plan;
  readonly answer: WrittenAnswer;
  readonly found: FoundPlaces;
}

function readAnswer(planned: PlannedRun, { plan, answer, answers, found }: Answered): Reading {
  const isLast = answers.length >= maxAnswers;
  const reading = readVerification(answer);
  if (reading.kind === 'bad') {
    if (!isLast) return { kind: 'again', text: formatUnreadRequest(reading.reasons) };
    return toFacts(planned, notVerified(['The verification could not be read.', ...reading.reasons]));
  }
  const longer = appendActions(plan, reading.value.additional_actions);
  const reasons = checkPlan(longer, toPlanRules(planned));
  if (reasons.length > 0 && !isLast) return { kind: 'again', text: formatUnreadRequest(reasons) };
  const added = longer.action_plan.actions.slice(plan.action_plan.actions.length);
  const usable = { ...reading.value, additional_actions: reasons.length > 0 ? [] : added };
  const { result, unexplained } = judgeVerification(usable, found);
  const isOpen =
    unexplained.length > 0 && usable.verification_passed && usable.additional_actions.length === 0;
  if (isOpen && !isLast) return { kind: 'again', text: formatUnexplained(unexplained) };
  return toFacts(planned, result);
}

function toFacts({ log, settings }: PlannedRun, result: VerificationAnswer): Reading {
  const { verifications, rounds } = log.state;
  const round = verifications.length + 1;
  const last_round = verifications.length - rounds + settings.verification.max_rounds;
  return { kind: 'facts', facts: [{ type: 'verification', round, last_round, verification_result: result }] };
}

function formatUnexplained(places: readonly string[]): string {
  const list = places.map((place) => `- ${place}`).join('\n');
  return `These lines that the run added look like placeholders, and the answer does not speak of them:\n${list}\nRead them, and answer again: with an additional action for each that is unfinished work, and each other one in "explained" with its reason.`;
}

function notVerified(issues: readonly string[]): VerificationAnswer {
  return {
    phase: 'verification',
    verification_passed: false,
    issues_found: issues,
    placeholder_detected: { count: 0, locations: [], explained: [] },
    additional_work_needed: false,
    additional_actions: [],
    completion_confidence: 0,
    comment: null,
  };
}

/** Result of a verification that model and code had a say in. */
export interface VerificationVerdict {
  /** The answer, with the places that code found; passed only where code agrees. */
  readonly result: VerificationAnswer;
  /** Places that the answer does not explain. */
  readonly unexplained: readonly string[];
}

/**
 * Judges an answer to a verification: it is passed only if the model says so, and every placeholder that code found in what the
 * run added is explained. `found` holds places such as `src/a.ts:3`; null where code could not look for them.
 *
 * @example
 * judgeVerification(answer, ['src/a.ts:3']).result.verification_passed; // false
 */
export function judgeVerification(
  answer: VerificationAnswer,
  found: readonly string[] | null,
): VerificationVerdict {
  const { locations, explained, count } = answer.placeholder_detected;
  const places = found ?? [];
  const unexplained = places.filter((place) => !explained.some(({ location }) => names(location, place)));
  const all = [...new Set([...locations, ...places])];
  const issues = [
    ...unexplained.map((place) => `${place}: an unexplained placeholder`),
    ...(found === null
      ? ['What the run changed could not be read, so placeholders were not looked for.']
      : []),
  ];
  const result = {
    ...answer,
    verification_passed: answer.verification_passed && !answer.additional_work_needed && issues.length === 0,
    issues_found: [...answer.issues_found, ...issues],
    placeholder_detected: { count: Math.max(count, all.length), locations: all, explained },
  };
  return { result, unexplained };
}

/** Tells whether an explanation speaks of a place, with words around it or without. */
function names(location: string, place: string): boolean {
  const at = location.indexOf(place);
  const isWhole =
    !/[\w./-]/u.test(location.charAt(at - 1)) && !/\d/u.test(location.charAt(at + place.length));
  return at !== -1 && isWhole;
}
