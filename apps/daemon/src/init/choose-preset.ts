import type { Environment } from '@agent/workspace';
import type { FoundModelServer, PresetName } from './find-model-servers.ts';

/** Facts that suggest an endpoint for a model. */
export interface PresetFacts {
  /** Null if it is not known yet. */
  readonly model: string | null;
  readonly servers: readonly FoundModelServer[];
  readonly environment: Environment;
}

/** Suggested preset, and why: a server here has the model or simply runs, the name is one of OpenAI, its key is set, or none of these. */
export interface PresetChoice {
  readonly preset: PresetName;
  readonly reason: 'has-model' | 'runs-here' | 'openai-name' | 'openai-key' | 'default';
}

/** Chooses the preset that a model most likely needs. */
export function choosePreset({ model, servers, environment }: PresetFacts): PresetChoice {
  const owner = servers.find(({ models }) => model !== null && models.includes(model));
  if (owner !== undefined) return { preset: owner.preset, reason: 'has-model' };
  if (model !== null && isOpenAiModel(model)) return { preset: 'openai', reason: 'openai-name' };
  const [running] = servers;
  if (model === null && running !== undefined) return { preset: running.preset, reason: 'runs-here' };
  if (environment.OPENAI_API_KEY?.trim()) return { preset: 'openai', reason: 'openai-key' };
  return running === undefined
    ? { preset: 'lmstudio', reason: 'default' }
    : { preset: running.preset, reason: 'runs-here' };
}

/** Tells names of OpenAI's own models; `gpt-oss` has open weights and runs anywhere. */
function isOpenAiModel(name: string): boolean {
  return /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|codex-|o[1-9](?:-|$))/i.test(name);
}
