import type { Settings } from '../settings/settings-schema.ts';

/**
 * The address of the model server where it is that of a host alone; null otherwise. LM Studio answers there, too, with
 * 200 and an error that is easily taken for one of the model.
 *
 * @see https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618
 */
export function findBareHost({
  LM_BASE_URL,
  MODEL_MODULE,
}: Pick<Settings, 'LM_BASE_URL' | 'MODEL_MODULE'>): string | null {
  const { pathname, origin } = new URL(LM_BASE_URL);
  return MODEL_MODULE === undefined && pathname === '/' ? origin : null;
}
