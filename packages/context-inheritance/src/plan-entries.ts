import { z } from 'zod';

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
const texts = z
  .array(z.unknown())
  .nullish()
  .catch(null)
  .transform((values) => (values ?? []).filter((value) => typeof value === 'string'));

const actionSchema = z.object({ task_id: text, tool: text, purpose: text, fallback_strategy: text });
const actionsSchema = z.array(actionSchema).nullish();

const subtaskSchema = z.object({
  id: text,
  description: text,
  dependencies: texts,
  estimated_complexity: text,
});

const planSchema = z.object({
  goal_understanding: z.object({ main_objective: text, success_criteria: texts }).nullish(),
  task_decomposition: z.object({ subtasks: z.array(subtaskSchema).nullish() }).nullish(),
  action_plan: z.object({ actions: actionsSchema }).nullish(),
  actions: actionsSchema,
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

const changeSchema = z.union([
  z.string(),
  z.object({ details: z.string() }).transform(({ details }) => details),
  z.unknown().transform(() => ''),
]);

const verificationSchema = z.object({
  verification_passed: z.boolean().nullish(),
  issues_found: texts,
  placeholder_detected: z.object({ locations: texts }).nullish().catch(null),
  additional_actions: actionsSchema.catch(null),
  completion_confidence: number,
});

const replanSchema = z.object({ reasoning: text });

const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), plan: planSchema, request_sha256: text, done_task_ids: texts }),
  z.object({
    type: z.literal('revision'),
    reason: text,
    changes: z.array(changeSchema).nullish().catch(null),
    updated_plan: planSchema.nullish(),
  }),
  z.object({ type: z.literal('reflection'), evaluation: reflectionSchema }),
  z.object({ type: z.literal('verification'), verification_result: verificationSchema }),
  z.object({
    type: z.literal('replan_decision'),
    // The earlier program stored the model's whole answer, with the decision nested in it.
    llm_decision: z.union([
      z.object({ replan_decision: replanSchema }).transform((answer) => answer.replan_decision),
      replanSchema,
    ]),
  }),
  z.object({ type: z.literal('action'), task_id: z.string(), state: z.string(), detail: text }),
]);

/** A line of a planning history, as far as inheriting needs it. @see seed 002 §13.2 */
export type PlanEntry = z.infer<typeof entrySchema>;

/** The entries of one kind. */
export type PlanEntryOf<Type extends PlanEntry['type']> = Extract<PlanEntry, { readonly type: Type }>;

/** An action as the model planned it. */
export type WrittenAction = z.infer<typeof actionSchema>;

const anyEntrySchema = z.object({ type: z.string() });
const kinds = new Set<string>(entrySchema.options.map(({ shape }) => shape.type.value));

/** Reads the lines of a planning history. Those of other kinds are left out; what is damaged as well, and is counted. */
export function parsePlanEntries(lines: readonly string[]): {
  readonly entries: readonly PlanEntry[];
  readonly skippedLines: number;
} {
  const read = lines.map(parseLine);
  return {
    entries: read.filter((entry) => entry !== null && entry !== 'another kind'),
    skippedLines: read.filter((entry) => entry === null).length,
  };
}

function parseLine(line: string): PlanEntry | 'another kind' | null {
  try {
    const json: unknown = JSON.parse(line);
    return kinds.has(anyEntrySchema.parse(json).type) ? entrySchema.parse(json) : 'another kind';
  } catch {
    return null;
  }
}
