import * as z from 'zod';
import { PlatformError } from '../platform-error.ts';

/**
 * Lets an answer pass its schema.
 *
 * @throws PlatformError `unavailable` that names the field, because a server that answers otherwise is another one
 */
export function parseAnswer<Schema extends z.ZodType>(
  data: unknown,
  { schema, doing, service }: { readonly schema: Schema; readonly doing: string; readonly service: string },
): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const where = z.prettifyError(parsed.error).split('\n').slice(0, 4).join(' ');
  throw new PlatformError(
    `Could not ${doing}: the answer is not what ${service} answers (${where}). Check that baseUrl is a ${service} API address.`,
    { code: 'unavailable' },
  );
}
