/**
 * Body of LM Studio's refusal while no model is loaded.
 *
 * @see https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1347
 */
export function toLostModel(kind: 'unloaded' | 'crashed'): string {
  const crash = 'The model has crashed without additional information. (Exit code: 6)';
  return JSON.stringify({ error: kind === 'unloaded' ? 'Model unloaded.' : crash });
}
