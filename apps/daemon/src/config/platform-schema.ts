import { customPlatformShape } from '@agent/platforms/custom';
import { z } from 'zod';
import { type BuiltInName, builtInNames } from '../platforms/names.ts';
import { labelsShape, withDifferentLabels } from '../platforms/section.ts';
import { platformTable } from '../platforms/table.ts';

const custom = withDifferentLabels({ ...customPlatformShape, ...labelsShape });

/** Section of a platform whose adapter is a module of the user's own. */
export type CustomPlatformConfig = z.infer<typeof custom>;

type Table = typeof platformTable;
type Sections = { readonly [Name in BuiltInName]: z.infer<Table[Name]['schema']> | null };

const builtIn = Object.fromEntries(
  builtInNames.map((name) => [name, platformTable[name].schema.optional()]),
) as { [Name in BuiltInName]: z.ZodOptional<Table[Name]['schema']> };

/** Section `platforms`: those of the table, and any number of others by the names that their owners give them. */
export const platformsSchema = z
  .object(builtIn)
  .catchall(custom)
  .refine((platforms) => Object.values(platforms).some((platform) => platform !== undefined), {
    error: `name at least one platform: ${builtInNames.join(', ')}, or one of your own with its module`,
  })
  .transform((platforms) => {
    const given: Readonly<Record<string, unknown>> = platforms;
    const own = Object.entries(given).filter(([name]) => !Object.hasOwn(builtIn, name));
    return {
      ...(Object.fromEntries(builtInNames.map((name) => [name, given[name] ?? null])) as Sections),
      custom: Object.fromEntries(own) as Readonly<Record<string, CustomPlatformConfig>>,
    };
  });
