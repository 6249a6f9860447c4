import { RequestError } from '@agentclientprotocol/sdk';
import { z } from 'zod';

/** Moments at which an agent can write what it should not. */
const moment = z.enum(['start', 'new', 'load', 'prompt', 'call', 'steer', 'ended']);

export type Moment = z.infer<typeof moment>;

const noiseSchema = z.strictObject({
  at: moment,
  /** Written as it is; `$session` stands for the session, `$n` for how often it was written. */
  line: z.string().default(''),
  times: z.int().positive().default(1),
  /** Characters that stand before it. */
  fill: z.int().nonnegative().default(0),
  /** False: no line ends after it. */
  endsLine: z.boolean().default(true),
  to: z.enum(['stdout', 'stderr']).default('stdout'),
});

const answerSchema = z.union([
  z.strictObject({ result: z.unknown() }),
  z.strictObject({
    error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
  /** Does not answer at all. */
  z.literal('nothing'),
]);

/** Ways in which an agent does not keep to the protocol. */
export const misbehaviorSchema = z.strictObject({
  noise: z.array(noiseSchema).default([]),
  /** Answers in the place of its own, by method. */
  answers: z.record(z.string(), answerSchema).default({}),
  /** How much of a session it replays when it loads it; `alien`: words of somebody else, with marks of the same form. */
  replays: z.enum(['all', 'nothing', 'half', 'halves', 'marks', 'alien']).default('all'),
  /** Tells of what it is told while it works, as words of the user, before its conversation has it. */
  echoes: z.boolean().default(false),
  /** Says again what it was told, in its last words and in the result of each call. */
  quotes: z.boolean().default(false),
  /** Drops the prompt with which a turn began that is canceled, and tells of a call of an earlier turn instead. */
  dropsCanceled: z.boolean().default(false),
});

export type Misbehavior = z.infer<typeof misbehaviorSchema>;

/** Output of an agent that also takes what is no message. */
export interface RawOutput {
  readonly stream: WritableStream<Uint8Array>;
  readonly write: (text: string) => Promise<void>;
}

/** Opens an output for messages and for everything else. */
export function openRawOutput(output: WritableStream<Uint8Array>): RawOutput {
  const writer = output.getWriter();
  const encoder = new TextEncoder();
  return {
    stream: new WritableStream({ write: (chunk) => writer.write(chunk) }),
    write: (text) => writer.write(encoder.encode(text)),
  };
}

const piece = 65_536;

/** Writes all noise of a moment, as fast as it is taken. */
export async function makeNoise(
  at: Moment,
  {
    misbehavior,
    session,
    write,
    isOver,
  }: {
    readonly misbehavior: Misbehavior;
    readonly session: string;
    readonly write: (text: string, to: 'stdout' | 'stderr') => Promise<void>;
    readonly isOver: () => boolean;
  },
): Promise<void> {
  for (const { line, times, fill, endsLine, to } of misbehavior.noise.filter((one) => one.at === at)) {
    for (let n = 1; n <= times && !isOver(); n += 1) {
      for (let left = fill; left > 0 && !isOver(); left -= piece)
        await write('x'.repeat(Math.min(left, piece)), to);
      const text = line.replaceAll('$session', session).replaceAll('$n', String(n));
      await write(endsLine ? `${text}\n` : text, to);
    }
  }
}

/** Gives the answer that the script has for a request, else the agent's own. */
export async function answerBy<Answer>(
  method: string,
  { misbehavior, own }: { readonly misbehavior: Misbehavior; readonly own: () => Promise<Answer> | Answer },
): Promise<Answer> {
  const scripted = misbehavior.answers[method];
  if (scripted === undefined) return own();
  if (scripted === 'nothing') return new Promise(() => undefined);
  if ('result' in scripted) return scripted.result as Answer;
  const { code, message, data } = scripted.error;
  throw new RequestError(code, message, data);
}
