import { z } from 'zod';
import { misbehaviorSchema } from './misbehavior.ts';

/** Way in which the agent behaves: well, unless something is said otherwise. */
export const agentScriptSchema = z.strictObject({
  name: z.string().default('scripted-agent'),
  /** Calls of tools in a turn, before its last words. */
  calls: z.int().nonnegative().default(2),
  /** What its calls are named and come to, in their order; those behind the last one are as usual. */
  does: z
    .array(
      z.strictObject({
        name: z.string().nullable().default(null),
        title: z.string(),
        kind: z.enum(['read', 'edit', 'execute', 'search', 'other']).default('execute'),
        status: z.enum(['completed', 'failed']).default('completed'),
        /** Default that it did what the title says. */
        output: z.string().nullable().default(null),
      }),
    )
    .default([]),
  /** `steering`: answers `_session/steering`; `prompt`: takes a second prompt into the turn; `none`: refuses both. */
  steering: z.enum(['steering', 'prompt', 'none']).default('steering'),
  loadSession: z.boolean().default(true),
  /** Says that something went wrong within it when it is to load a session. */
  failsToLoad: z.boolean().default(false),
  reportsUsage: z.boolean().default(true),
  /** Reports it as Gemini CLI does, which tells no cost. */
  reportsQuota: z.boolean().default(false),
  /** Cost of its session before its process began, which it tells with that of each turn. */
  costBefore: z.number().default(0),
  /** Number of the thing that it does before it dies, from 1, counted from its start. */
  diesAt: z.int().positive().nullable().default(null),
  /** Number of the thing before which it falls silent. */
  hangsAt: z.int().positive().nullable().default(null),
  /** Says that it has what it is told while it works, and forgets it. */
  forgets: z.boolean().default(false),
  /** Tells of every end of a call twice, and says its words twice. */
  answersTwice: z.boolean().default(false),
  /** Asks for this permission before each call; again and again where `asksForever`. */
  asks: z
    .strictObject({ kind: z.enum(['read', 'edit', 'execute', 'fetch']), path: z.string().nullable() })
    .nullable()
    .default(null),
  asksForever: z.boolean().default(false),
  /** Refusals that end its turn, as `cancelled`, as Codex has it; after them it asks no more. */
  refusalsThatEnd: z.int().nonnegative().default(0),
  /** Tells of a call when it asks for its permission, and not before, as Gemini CLI has it. */
  announces: z.boolean().default(true),
  /** Shows what its calls print in pieces, beside the terminal of the protocol, as Codex has it. */
  showsTerminal: z.boolean().default(false),
  /** Goes on for ever although its turn is canceled. */
  ignoresCancel: z.boolean().default(false),
  /** Writes this file of its working directory with its first call. */
  writes: z.strictObject({ path: z.string(), text: z.string() }).nullable().default(null),
  /** Says the names of the variables in its environment with its last words. */
  tellsEnvironment: z.boolean().default(false),
  /** Last words of a turn, in the place of how many messages it has read. */
  says: z.string().nullable().default(null),
  /** Waits, while it has heard one message only, before its last words until it was told something or canceled. */
  waits: z.boolean().default(false),
  /** Base URL of an OpenAI-compatible endpoint that it asks before each thing it does or says; it does as its script says, whatever the answer is. */
  model: z.string().nullable().default(null),
  /** Numbers of tokens that it tells with the answer to a prompt, in the place of sane ones. */
  usage: z.record(z.string(), z.unknown()).nullable().default(null),
  /** Tokens by which its context grows with each call, which it tells while it works; 0: it tells nothing of that. */
  contextGrows: z.int().nonnegative().default(0),
  /** Costs that it tells with each of its last words, one after the other, in the place of a cent more each time. */
  costs: z.array(z.unknown()).nullable().default(null),
  /** Does not read what is sent to it. */
  isDeaf: z.boolean().default(false),
  /** Does not keep to the protocol. */
  misbehavior: misbehaviorSchema.prefault({}),
});

/** Script, all of it said. */
export type AgentScript = z.infer<typeof agentScriptSchema>;

/** Script as it is written. */
export type AgentScriptInput = z.input<typeof agentScriptSchema>;
