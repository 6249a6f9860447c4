import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** Names of variables that carry credentials of this service itself, whatever they are for. */
const ownSecret = /^(?:GITHUB|GITLAB|DISCORD|AGENT)_/u;

const acpSchema = z.strictObject({
  /** Program of the agent: absolute, or found in PATH. */
  command: z
    .string()
    .min(1)
    .refine(
      (command) => isAbsolute(command) || !/[/\\]/u.test(command),
      'must be the name of a program in PATH, or its absolute path',
    ),
  args: z.array(z.string()).default([]),
  /** Names of the variables that the agent gets of the environment: its own credential, and nothing else. */
  env: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, 'must be the name of a variable')
        .refine(
          (name) => !ownSecret.test(name),
          'belongs to this service: give the agent its own credential',
        ),
    )
    .default([]),
  /** True for an agent that tells what it spends, in the currency of `llm.currency`: limits of costs need one. */
  tells_cost: z.boolean().default(false),
  /** True: where runs plan, the model plans and the agent does the actions. False: the agent does all, and no run plans. */
  plans: z.boolean().default(false),
  steering: z.enum(['auto', 'steering', 'prompt', 'cancel', 'wait']).default('auto'),
});

/** Says who works on runs: null for the loop of this service, or an agent of the Agent Client Protocol. */
export const executorSchema = z.strictObject({ acp: acpSchema }).nullable().default(null);

/** Settings of who works on runs. */
export type ExecutorSettings = z.infer<typeof executorSchema>;
