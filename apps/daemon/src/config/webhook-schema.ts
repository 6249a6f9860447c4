import { z } from 'zod';
import { type BuiltInName, builtInNames } from '../platforms/names.ts';
import { platformTable } from '../platforms/table.ts';
import { variableName } from './scalars.ts';

const variables = Object.fromEntries(
  builtInNames.map((name) => {
    const { key, variable } = platformTable[name].webhooks;
    return [name, z.strictObject({ [key]: variableName.default(variable) }).prefault({})];
  }),
) as Record<BuiltInName, z.ZodPrefault<z.ZodObject<Record<string, z.ZodDefault<typeof variableName>>>>>;

/** Section `webhooks`: the variables that hold what a platform proves itself with. Without a value, its webhooks are refused. */
export const webhooksSchema = z.strictObject({
  ...variables,
  /** Bodies that are read at one time, of all platforms together; what comes beyond is told to come again. */
  max_bodies_in_flight: z.number().int().min(1).max(1_000).default(32),
  /** Bytes of these bodies together. Default 32 MiB. */
  max_bytes_in_flight: z.number().int().min(65_536).default(33_554_432),
});

/** The variable that holds what a platform's webhooks prove themselves with. */
export function webhookVariableOf(name: BuiltInName, webhooks: z.infer<typeof webhooksSchema>): string {
  const { key, variable } = platformTable[name].webhooks;
  return webhooks[name][key] ?? variable;
}
