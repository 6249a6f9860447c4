import { createToLine, type Locale, type ToLine } from '@agent/text';
import type { Plan, PlannedAction, PlanningFact } from './model.ts';
import { inOrder, type PlanningState, type TaskProgress } from './planning-state.ts';
import { en, type Progress } from './texts.en.ts';
import { ja } from './texts.ja.ts';

/** Texts about plans in the language of those who read them. */
export const planTexts: Readonly<Record<Locale, typeof en>> = { ja, en };

/** Language of a comment about a plan, and what its words pass. */
export interface PlanWriting {
  readonly locale: Locale;
  /** Takes secrets out of what the model wrote; default nothing. */
  readonly redactOutgoing?: (text: string) => string;
}

/** Makes words of a model fit for a line of at most 500 characters. */
export function toPlanLine({ redactOutgoing = (text) => text }: PlanWriting): ToLine {
  return createToLine(redactOutgoing);
}

/** Standing of a plan as far as comments tell it. */
export interface ToldPlan extends Pick<PlanningState, 'facts' | 'plan'> {
  readonly tasks: ReadonlyMap<string, Pick<TaskProgress, 'state'>>;
}

/** Counts the actions of a plan that are done; 0 of 0 before there is a plan. */
export function countProgress({ plan, tasks }: Pick<ToldPlan, 'plan' | 'tasks'>): Progress {
  const actions = plan?.action_plan.actions ?? [];
  const done = actions.filter(({ task_id: id }) => tasks.get(id)?.state === 'succeeded').length;
  return toProgress(done, actions.length);
}

function toProgress(done: number, total: number): Progress {
  return { done, total, percent: total === 0 ? 0 : Math.floor((100 * done) / total) };
}

/** Time of the last revision, as people are told it. */
interface ChecklistOptions extends PlanWriting {
  /** Default: not told. */
  readonly revisedAt?: string | null;
}

/**
 * The plan as a list with a box for each action: as it was made, as it was revised, or with what verification added. Empty before
 * there is a plan. The plans that were revised are apart, in `formatPlanHistory`.
 * @see referenced specifications, PLANNING and VERIFICATION
 */
export function formatChecklist(told: ToldPlan, options: ChecklistOptions): string {
  if (told.plan === null) return '';
  const additional = inOrder(told.plan).filter(isAdditional);
  if (additional.length > 0) return formatVerificationChecklist(told, { options, additional });
  const revisions = told.facts.filter((fact) => fact.type === 'revision');
  const last = revisions.at(-1);
  const texts = planTexts[options.locale];
  const items = formatItems(inOrder(told.plan), { told, options });
  const progress = countProgress(told);
  if (last === undefined) return [texts.checklist, items, texts.progress(progress)].join('\n\n');
  const toLine = toPlanLine(options);
  const { number, reason } = last;
  return [
    texts.revisedChecklist(number),
    texts.revisionReason(toLine(reason) || texts.none),
    texts.previousProgress(progressBefore(told.facts)),
    texts.newPlan,
    items,
    texts.revisedProgress(progress, { number, at: options.revisedAt ?? null }),
  ].join('\n\n');
}

/** Items that a list shows, unless it says otherwise. */
const mostItems = 100;

interface Listing {
  readonly told: ToldPlan;
  readonly options: PlanWriting;
  /** Items that are shown; a plan of more is cut. Default 100. */
  readonly maxItems?: number;
  /** Tells whether each item names the tool that it calls first. Default false. */
  readonly namesTools?: boolean;
}

const maxItemChars = 200;

function formatItems(
  actions: readonly PlannedAction[],
  { told, options, maxItems = mostItems, namesTools = false }: Listing,
): string {
  const texts = planTexts[options.locale];
  const { redactOutgoing = (text: string) => text } = options;
  const toItem = createToLine(redactOutgoing, { maxChars: maxItemChars });
  const descriptions = told.plan === null ? null : toDescriptions(told.plan);
  const lines = actions.slice(0, maxItems).map(({ task_id: id, purpose, tool }) => {
    const state = told.tasks.get(id)?.state;
    const mark = state === 'failed' || state === 'invalidated' ? ` (${texts[state]})` : '';
    const text = toItem(descriptions?.get(id) || purpose);
    return `- [${state === 'succeeded' ? 'x' : ' '}] **${toItem(id)}**: ${text}${namesTools ? ` (\`${tool}\`)` : ''}${mark}`;
  });
  const more = actions.length - lines.length;
  return [...lines, ...(more > 0 ? [texts.more(more)] : [])].join('\n');
}

function isAdditional({ task_id }: PlannedAction): boolean {
  return task_id.startsWith('verification_fix_');
}

function formatVerificationChecklist(
  told: ToldPlan,
  { options, additional }: { readonly options: PlanWriting; readonly additional: readonly PlannedAction[] },
): string {
  const texts = planTexts[options.locale];
  const original = (told.plan === null ? [] : inOrder(told.plan)).filter((action) => !isAdditional(action));
  const isDone = original.every(({ task_id: id }) => told.tasks.get(id)?.state === 'succeeded');
  return [
    texts.verificationChecklist,
    isDone ? texts.completedPlan : texts.originalChecklist,
    formatItems(original, { told, options }),
    texts.additionalWork,
    formatItems(additional, { told, options }),
    texts.verificationProgress(countProgress(told), additional.length),
  ].join('\n\n');
}

/** Most characters of a plan that is to be approved: a comment has room for 65,536. */
const maxPlanChars = 50_000;

/**
 * A plan that is to be approved, whole: its first 100 actions with their tools, and the others folded, a brief line for each; `rest`
 * is empty where there are none. What is done already is checked.
 */
export function formatPlanToApprove(
  { plan, doneTaskIds }: { readonly plan: Plan; readonly doneTaskIds: readonly string[] },
  options: PlanWriting,
): { readonly shown: string; readonly rest: string } {
  const done = { state: 'succeeded', attempts: 1, detail: '', evidence: [], isSettled: false } as const;
  const told = { plan, facts: [], tasks: new Map(doneTaskIds.map((id) => [id, done])) };
  const actions = inOrder(plan);
  const shown = formatItems(actions.slice(0, mostItems), { told, options, namesTools: true });
  const others = actions.slice(mostItems);
  if (others.length === 0) return { shown, rest: '' };
  const { redactOutgoing = (text: string) => text } = options;
  const maxChars = Math.max(20, Math.floor((maxPlanChars - shown.length) / others.length) - '- \n'.length);
  const toItem = createToLine(redactOutgoing, { maxChars });
  const descriptions = toDescriptions(plan);
  const lines = others.map(
    ({ task_id: id, purpose }) => `- ${toItem(`${id}: ${descriptions.get(id) || purpose}`)}`,
  );
  return { shown, rest: fold(planTexts[options.locale].others(others.length), lines.join('\n')) };
}

function toDescriptions({ task_decomposition: { subtasks } }: Plan): ReadonlyMap<string, string> {
  return new Map(subtasks.map(({ id, description }) => [id, description]));
}

function fold(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** Progress when the last revision was made. */
function progressBefore(facts: readonly PlanningFact[]): Progress {
  const at = facts.findLastIndex(({ type }) => type === 'revision');
  const earlier = facts.slice(0, at);
  const plan = earlier.map(planOf).findLast((one) => one !== null);
  const done = new Set<string>();
  for (const fact of earlier) {
    if (fact.type === 'plan') for (const id of fact.done_task_ids) done.add(id);
    if (fact.type === 'action') {
      if (fact.state === 'succeeded') done.add(fact.task_id);
      else done.delete(fact.task_id);
    }
  }
  const actions = plan?.action_plan.actions ?? [];
  return toProgress(actions.filter(({ task_id: id }) => done.has(id)).length, actions.length);
}

function planOf(fact: PlanningFact): Plan | null {
  if (fact.type === 'plan') return fact.plan;
  return fact.type === 'revision' ? fact.updated_plan : null;
}

/** Older plans that are shown, the newest of them. */
const maxOldPlans = 10;
const maxOldItems = 20;

/** The plans that were revised, folded, the latest first; empty for none. */
export function formatPlanHistory({ facts }: Pick<ToldPlan, 'facts'>, options: PlanWriting): string {
  const texts = planTexts[options.locale];
  const plans = facts.flatMap((fact) => {
    const plan = planOf(fact);
    return plan === null ? [] : [{ plan, number: fact.type === 'revision' ? fact.number : 0 }];
  });
  const old = plans.slice(0, -1).reverse();
  if (old.length === 0) return '';
  const shown = old.slice(0, maxOldPlans).map(({ plan, number }) => {
    const told = { facts: [], plan, tasks: new Map() };
    const name = number === 0 ? texts.originalPlan : texts.revisedPlan(number);
    return `**${name}**\n\n${formatItems(inOrder(plan), { told, options, maxItems: maxOldItems }).replaceAll('- [ ] ', '- ')}`;
  });
  const more = old.length - shown.length;
  const body = [...shown, ...(more > 0 ? [texts.more(more)] : [])].join('\n\n');
  return fold(texts.planHistory, body);
}
