/** Body of LM Studio's refusal while no model is loaded. */
export function toLostModel(kind: 'unloaded' | 'crashed'): string {
  const crash = 'The model has crashed without additional information. (Exit code: 6)';
  return JSON.stringify({ error: kind === 'unloaded' ? 'Model unloaded.' : crash });
}
