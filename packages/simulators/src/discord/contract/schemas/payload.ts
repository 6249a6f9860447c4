import { z } from 'zod';

type RequiredKeys<Type> = {
  [Key in keyof Type]-?: object extends Pick<Type, Key> ? never : Key;
}[keyof Type];

/** A schema of everything that a type of Discord's cannot do without: a key left out does not compile. */
export function payload<Type extends object>() {
  return <Fields extends Record<RequiredKeys<Type>, z.ZodType>>(fields: Fields) => z.looseObject(fields);
}

/** Strings and lists that many payloads have. */
export const snowflake = z.string().regex(/^\d{17,20}$/);
export const time = z.iso.datetime({ offset: true });
export const bits = z.string().regex(/^\d+$/);
export const list = z.array(z.unknown());
/** Fields of the application, as READY and itself show it. */
export const application = { id: snowflake, flags: z.int(), flags_new: bits };
