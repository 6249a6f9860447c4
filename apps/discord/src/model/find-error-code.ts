import { z } from 'zod';

const codeSchema = z
  .string()
  .regex(/^[\w.-]{1,60}$/)
  .nullish()
  .catch(null);
const errorSchema = z.object({ code: codeSchema, type: codeSchema });
const bodySchema = z.object({ error: errorSchema });

/** The code by which a server names its error, e.g. `model_not_found`; null where it names none. */
export function findErrorCode(body: string): string | null {
  try {
    const { data } = bodySchema.safeParse(JSON.parse(body));
    return data === undefined ? null : toErrorCode(data.error);
  } catch {
    return null;
  }
}

/** The same for the error itself. */
export function toErrorCode(error: unknown): string | null {
  const { data } = errorSchema.safeParse(error);
  return data?.code ?? data?.type ?? null;
}
