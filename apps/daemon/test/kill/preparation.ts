import type { ForgeThread } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { need } from '../support/pre-planning-script.ts';
import { nameQuestion } from '../support/preparation-sights.ts';
import { type KeptState, readState } from '../support/preparation-state.ts';
import type { World } from '../support/world.ts';

/** Found in the worktree and on the forge, not there, and never assumed. */
export const wantedByKilled = [
  need('total', 'read_file', { description: 'The code that sums up' }),
  need('rounding', 'read_file', { description: 'How sums are rounded' }),
  need('similar', 'search_threads', { description: 'Who else asks', parameters: { query: 'quantity' } }),
  need('thread', 'read_thread', { description: 'The thread itself', parameters: { number: 1 } }),
  need('currency', 'read_file', { description: 'Which currency it is' }),
  need('login', 'read_file', { description: 'The password of the shop account' }),
];

/** How the items end, however often somebody interrupted. */
const ends = 'assumed currency, assumed rounding, collected similar, collected thread, collected total';
const expectedEnd = `complete: ${ends}, failed login; A1 rounding, A2 currency; not known: login`;
/** A tool that takes longer than it may, on a clock that runs faster or a busy machine, is tried again. */
const mostCalls = 3;

const notice = /^<!-- agent-comment: run:[^:]+:pre-planning:(\S+) -->/;

/** Whether a comment only says how a run gets ready; which of these are needed, a kill decides. */
export function isPreparationTalk(body: string): boolean {
  return notice.test(body);
}

/** What a run kept of getting ready at the end of each life of the daemon. */
export interface PreparationWatch {
  readonly remember: () => Promise<void>;
  /**
   * What is wrong in the end: each notice is given once and in order, nothing is asked more often than somebody
   * interrupted, the phase ends before the first step, and what was looked for once stays as it was found.
   */
  readonly findBroken: (trial: { readonly restarts: number }) => Promise<string[]>;
}

export function createPreparationWatch(world: World): PreparationWatch {
  const found = new Map<string, string>();
  const remember = async (): Promise<KeptState | null> => {
    const state = await readState(world).catch(() => null);
    for (const { info_id: id, status, timestamp } of state?.collection_results ?? []) {
      if (status === 'collected' && !found.has(id)) found.set(id, timestamp);
    }
    return state;
  };
  return {
    remember: async () => void (await remember()),
    findBroken: async ({ restarts }) => {
      const state = await remember();
      const [thread] = world.forge.threads();
      return [
        ...(thread === undefined ? [] : findBrokenNotices(thread)),
        ...findBrokenQuestions(world, restarts),
        ...findBrokenEnd(state),
        ...findBrokenCost(world, { counted: state?.cost.model_calls ?? 0, restarts }),
        ...(state?.collection_results ?? []).flatMap(({ info_id: id, timestamp }) =>
          (found.get(id) ?? timestamp) === timestamp ? [] : [`${id} was looked for again after it was found`],
        ),
      ];
    },
  };
}

/** The understanding may be told again where it takes in a comment; everything else is told once. */
function findBrokenNotices({ comments }: ForgeThread): string[] {
  const told = comments.flatMap(({ body }) => notice.exec(body)?.[1] ?? []);
  const [first, ...rest] = told.filter((name) => !/^understanding-end:[1-9]/.test(name));
  const once = [first, ...rest].join(' ');
  const expected =
    'analysis-start understanding-end:0 collection-start assumption-made:A1 assumption-made:A2 collection-end';
  // A first understanding may know of a comment already.
  const isWhole = once === expected || once === expected.replace(' understanding-end:0', '');
  const isTwice = new Set(told).size < told.length;
  const isLast = notice.test(comments.at(-1)?.body ?? '');
  return isWhole && !isTwice && !isLast ? [] : [`the thread was told: ${told.join(' ')}`];
}

function findBrokenQuestions({ model }: World, restarts: number): string[] {
  const asked = listTurns(model).map(nameQuestion);
  const counts = Map.groupBy(asked, (name) => name);
  const most = (name: string): number => {
    if (name === 'step') return Number.POSITIVE_INFINITY;
    // One more for what people say while the run begins.
    return 1 + restarts + (name === 'question understanding' ? 1 : 0);
  };
  const tooOften = [...counts].filter(([name, of]) => name !== null && of.length > most(name));
  const isMixed = asked.slice(asked.indexOf('step')).some((name) => name !== 'step');
  const firstStep = listTurns(model)[asked.indexOf('step')] ?? '';
  return [
    ...tooOften.map(([name, of]) => `asked ${of.length} times, with ${restarts} restarts: ${name}`),
    ...(isMixed ? [`it got ready after its first step: ${asked.join(', ')}`] : []),
    ...(firstStep.includes('A1 rounding: to two places') ? [] : ['its first step knows of no assumption']),
  ];
}

/** An answer that nobody was left to hear is not counted; none is counted twice. */
function findBrokenCost(
  { model }: World,
  { counted, restarts }: { readonly counted: number; readonly restarts: number },
): string[] {
  const asked = listTurns(model).filter((text) => nameQuestion(text)?.startsWith('question ')).length;
  return counted <= asked && counted >= asked - restarts
    ? []
    : [`${counted} questions are counted of ${asked}, with ${restarts} restarts`];
}

function findBrokenEnd(state: KeptState | null): string[] {
  if (state === null) return ['nothing is kept of how it got ready'];
  const results = state.collection_results.map(({ status, info_id: id, tool_calls_used: calls }) =>
    calls >= 1 && calls <= mostCalls ? `${status} ${id}` : `${status} ${id} with ${calls} calls`,
  );
  const assumptions = state.assumptions.map(({ label, info_id: id }) => `${label} ${id}`).join(', ');
  const gaps = state.information_gaps.map(({ info_id: id }) => id).join(', ');
  const end = `${state.current_subphase}: ${results.sort().join(', ')}; ${assumptions}; not known: ${gaps}`;
  return end === expectedEnd ? [] : [`it got ready like this: ${end}`];
}
