/** Cost of a plan beside what its work costs. */
export interface PlanCost {
  /** Percent of the characters of each prompt but the first that it shares, from its beginning, with the one before. */
  readonly sharedPercent: number;
  /** The prompt that shares least, in percent. */
  readonly leastPercent: number;
  /** Prompts of the run with 30 actions. */
  readonly prompts: number;
  /** Polls of the thread of 10 actions and 3 reflections. */
  readonly polls: number;
}

/** What the tests of the runner offer: a model that is content with all it plans, and a run of it. */
interface Setup {
  readonly createContentPlanner: (texts: readonly string[]) => {
    readonly prompts: readonly (readonly unknown[])[];
  };
  readonly planForTest: (options: object) => Promise<unknown>;
  readonly createTool: (execute: (text: string) => string) => object;
  readonly createInbox: (looks: readonly never[]) => { readonly barriers: readonly boolean[] };
}

/** Runs a plan of 30 actions, and one of 10 with a thread. */
export async function measurePlan({
  createContentPlanner,
  planForTest,
  createTool,
  createInbox,
}: Setup): Promise<PlanCost> {
  const run = async (actions: number, options: object) => {
    const model = createContentPlanner(Array.from({ length: actions }, (_, index) => `step ${index + 1}`));
    const tools = { work: createTool((text) => `did ${text}`) };
    await planForTest({ model, tools, planning: {}, limits: { maxSteps: 200 }, now: () => 0, ...options });
    return model.prompts.map((prompt) => prompt.map((message) => JSON.stringify(message)).join('\n'));
  };
  const comments = createInbox([]);
  await run(10, { comments });
  return { ...toShares(await run(30, {})), polls: comments.barriers.length };
}

/** Shares of prompts that follow one another. */
export function toShares(prompts: readonly string[]): Omit<PlanCost, 'polls'> {
  const later = prompts.slice(1).map((prompt, index) => {
    return { length: prompt.length, shared: countShared(prompts[index] ?? '', prompt) };
  });
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const whole = sum(later.map(({ length }) => length));
  return {
    sharedPercent: (100 * sum(later.map(({ shared }) => shared))) / whole,
    leastPercent: Math.min(...later.map(({ length, shared }) => (100 * shared) / length)),
    prompts: prompts.length,
  };
}

function countShared(before: string, after: string): number {
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared += 1;
  return shared;
}
