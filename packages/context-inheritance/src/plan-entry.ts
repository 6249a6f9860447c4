import { z } from 'zod';

const text = z.string().nullish();
const texts = z
  .array(z.unknown())
  .nullish()
  .transform((values) => (values ?? []).filter((value) => typeof value === 'string'));

const actionsSchema = z.object({
  actions: z.array(z.object({ task_id: text, tool: text, purpose: text })).nullish(),
});

const planSchema = z.object({
  goal_understanding: z.object({ main_objective: text }).nullish(),
  task_decomposition: z
    .object({ subtasks: z.array(z.object({ id: text, description: text })).nullish() })
    .nullish(),
  action_plan: actionsSchema.nullish(),
  actions: actionsSchema.shape.actions,
});

const reflectionSchema = z.object({
  reflection: z.object({
    action_evaluated: text,
    action_id: text,
    status: text,
    evaluation: text,
    issues_identified: texts,
    root_cause: text,
  }),
});

const replanSchema = z.object({ reasoning: text });

const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), plan: planSchema }),
  z.object({ type: z.literal('revision'), reason: text, updated_plan: planSchema.nullish() }),
  z.object({ type: z.literal('reflection'), evaluation: reflectionSchema }),
  z.object({
    type: z.literal('verification'),
    verification_result: z.object({ verification_passed: z.boolean().nullish(), issues_found: texts }),
  }),
  z.object({
    type: z.literal('replan_decision'),
    // The earlier program stored the model's whole answer, with the decision nested in it.
    llm_decision: z.union([
      z.object({ replan_decision: replanSchema }).transform((answer) => answer.replan_decision),
      replanSchema,
    ]),
  }),
]);

/** A line of `planning/{uuid}.jsonl`, as far as inheriting needs it. */
export type PlanEntry = z.infer<typeof entrySchema>;

/** A plan as the model wrote it. */
export type WrittenPlan = z.infer<typeof planSchema>;

/** Reads the lines of a planning history; what is damaged or of another kind is left out and counted. */
export function parsePlanEntries(lines: readonly string[]): {
  readonly entries: readonly PlanEntry[];
  readonly skippedLines: number;
} {
  const entries = lines.map(parseLine).filter((entry) => entry !== null);
  return { entries, skippedLines: lines.length - entries.length };
}

function parseLine(line: string): PlanEntry | null {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
