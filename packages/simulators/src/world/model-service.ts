import { z } from 'zod';
import { followSteps, startScriptedModel } from '../model/index.ts';
import type { ListenOptions } from '../shared/listen.ts';
import { delayMs, fromKindAlone, parseStrictly, plantEach, type Service, toKindError } from './service.ts';

const text = z.string().min(1);
const times = z.int().positive().optional();

const kindsAlone = [
  ...(['hang', 'reset', 'garbage', 'html', 'malformed-arguments', 'unknown-tool', 'empty'] as const),
  ...(['unloaded', 'crashed'] as const),
] as const;

const faultSchemas = [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    message: z.string().optional(),
    retryAfterMs: z.int().positive().optional(),
    times,
  }),
  z.strictObject({ kind: z.literal('slow'), delayMs, times }),
  ...kindsAlone.map((kind) => z.strictObject({ kind: z.literal(kind), times })),
] as const;

const faultSchema = fromKindAlone(z.discriminatedUnion('kind', faultSchemas, toKindError(faultSchemas)));

/** Section `model` of a world. */
export const modelWorldSchema = z.strictObject({
  /** Answers in order, one a turn of a conversation; it stays at the last. Default: one that says that it is a script. */
  replies: z
    .array(
      z.strictObject({
        text: z.string().optional(),
        toolCalls: z
          .array(z.strictObject({ name: text, input: z.record(z.string(), z.unknown()) }))
          .optional(),
      }),
    )
    .optional(),
  models: z.array(text).optional(),
  apiKey: text.optional(),
  faults: z.array(faultSchema).optional(),
});

/** Starts a scripted model as a section of a world describes it. */
export async function startModelService(data: unknown, place: ListenOptions): Promise<Service> {
  const {
    replies = [],
    models = ['scripted-model'],
    apiKey = null,
    faults,
  } = parseStrictly(modelWorldSchema, data, 'model');
  const [first = { text: 'I am a script that plays a language model.' }, ...others] = replies;
  const model = await startScriptedModel({
    script: followSteps([first, ...others]),
    models,
    apiKey,
    port: place.port ?? 0,
    host: place.host ?? '127.0.0.1',
  });
  const fail = (data: unknown) => {
    const { times: wanted = 1, ...misbehavior } = parseStrictly(faultSchema, data, 'fault of model');
    model.misbehave(misbehavior, { times: wanted });
  };
  await plantEach(faults, 'model.faults', fail);
  return { url: model.baseUrl, requests: () => model.requests, fail, close: model.close };
}
