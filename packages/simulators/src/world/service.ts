import { z } from 'zod';
import { WorldError } from './world-error.ts';

/** A simulator that serves as a part of a world. */
export interface Service {
  /** Address that a client is given: of GitHub its origin, of a model what goes into `base_url`. */
  readonly url: string;
  /** Requests so far, oldest first. */
  readonly requests: () => readonly object[];
  /** Makes the next requests fail as a fault of this service says, which is checked. */
  readonly fail: (fault: unknown) => void;
  readonly close: () => Promise<void>;
}

/** The same type without `undefined` in what may be missing: parsed files hold no such values. */
type Exact<Type> = Type extends readonly (infer Item)[]
  ? readonly Exact<Item>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: Exact<Exclude<Type[Key], undefined>> }
    : Type;

/** Checks data against a schema. @throws WorldError with the path of each problem below `where` */
export function parseStrictly<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  where: string,
): Exact<z.infer<Schema>> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data as Exact<z.infer<Schema>>;
  throw new WorldError(`${where}\n${z.prettifyError(parsed.error)}`);
}

/** Plants a list, and says which of it could not be: `github.issues[2]: …`. */
export async function plantEach<Item>(
  items: readonly Item[] | undefined,
  where: string,
  plant: (item: Item) => unknown,
): Promise<void> {
  for (const [index, item] of (items ?? []).entries()) {
    try {
      await plant(item);
    } catch (cause) {
      throw new WorldError(`${where}[${index}]: ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      });
    }
  }
}

const filePath = z
  .string()
  .refine((path) => path.split('/').every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part)), {
    error:
      'Invalid path: names between single slashes, relative to the repository, none of them ".", ".." or ".git"',
  });

/** Files of a commit: their texts by their paths. */
export const files = z.record(filePath, z.string()).check(({ value, issues }) => {
  const paths = Object.keys(value);
  const folder = paths.find((path) => paths.some((other) => other.startsWith(`${path}/`)));
  if (folder === undefined) return;
  issues.push({ code: 'custom', message: `"${folder}" is a file and a folder`, input: value });
});

/** Milliseconds to wait before an answer; a timer of Node takes a longer wait for none. */
export const delayMs = z.int().positive().max(2_147_483_647);

const times = z.union([z.int().positive(), z.literal('always')]).optional();

/** Makes the schema of the faults of a forge: a kind alone, or with the requests that are meant. */
export function toForgeFaultSchema<Kind extends string>(kinds: readonly Kind[]) {
  const fields = {
    kind: z.enum(kinds),
    /** Part of the path with query; default: any. */
    path: z.string().optional(),
    method: z.string().optional(),
    times,
    delayMs: delayMs.optional(),
    retryAfterSeconds: z.int().positive().optional(),
    status: z.int().min(400).max(599).optional(),
  };
  return fromKindAlone(z.strictObject(fields));
}

/** Lets a fault be written as its kind where it needs nothing else. */
export function fromKindAlone<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((data) => (typeof data === 'string' ? { kind: data } : data), schema);
}

/** Message for a fault of no kind that there is. */
export function toKindError(faults: readonly { readonly shape: { readonly kind: z.ZodLiteral<string> } }[]): {
  readonly error: string;
} {
  return {
    error: `Invalid kind: expected one of ${faults.map(({ shape }) => `"${shape.kind.value}"`).join('|')}`,
  };
}

/** Adds a fault to a forge. @throws WorldError where the forge does not have such an address */
export function failStrictly<Fault>(fail: (fault: Fault) => void, fault: Fault): void {
  try {
    fail(fault);
  } catch (cause) {
    throw new WorldError((cause as Error).message, { cause });
  }
}
