import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { DemoForge } from './demo-forge.ts';

export interface ConfigurationFacts {
  readonly forge: Pick<DemoForge, 'name' | 'configuration'>;
  readonly llm: {
    readonly baseUrl: string;
    readonly model: string;
    readonly api: 'responses' | 'chat' | null;
    /** Variable that holds the key; null for an endpoint without one. */
    readonly apiKeyEnv: string | null;
  };
  /** Sections in the place of those that the demonstration has otherwise. Default none. */
  readonly sections?: Readonly<Record<string, object | number>>;
}

/** Writes `agent.config.yaml` into the directory, as a person would. @returns its path */
export async function writeConfiguration(directory: string, facts: ConfigurationFacts): Promise<string> {
  const path = join(directory, 'agent.config.yaml');
  await writeFile(path, stringify(toConfiguration(facts)));
  return path;
}

/**
 * What the daemon is told; everything else is at its defaults. Commands have no sandbox, so that the demonstration plays on
 * a machine without bubblewrap, and as root; all that they run is the tests of its own project.
 */
function toConfiguration({ forge, llm, sections = {} }: ConfigurationFacts): object {
  return {
    platforms: { [forge.name]: forge.configuration },
    llm: {
      base_url: llm.baseUrl,
      model: llm.model,
      ...(llm.api === null ? {} : { api: llm.api }),
      ...(llm.apiKeyEnv === null ? {} : { api_key_env: llm.apiKeyEnv }),
    },
    planning: {},
    http: { port: 0 },
    context_storage: { base_dir: 'contexts' },
    workspaces: { base_dir: 'workspaces' },
    tools: { run_command: { allow: ['node'], sandbox: 'off', allow_root: true } },
    ...sections,
  };
}
