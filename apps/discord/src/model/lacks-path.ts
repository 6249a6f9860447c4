import type { Settings } from '../settings/settings-schema.ts';

/**
 * Whether the address of the model server is that of a host alone. LM Studio answers there, too, with 200 and an error
 * that is easily taken for one of the model.
 */
export function lacksPath({
  LM_BASE_URL,
  MODEL_MODULE,
}: Pick<Settings, 'LM_BASE_URL' | 'MODEL_MODULE'>): boolean {
  return MODEL_MODULE === undefined && new URL(LM_BASE_URL).pathname === '/';
}
