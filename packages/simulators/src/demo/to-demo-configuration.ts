import type { DemoForge } from './demo-forge.ts';
import type { DemoModel } from './start-demo-model.ts';

/** Parts of a demonstration that its configuration names. */
export interface ConfigurationFacts {
  readonly forge: Pick<DemoForge, 'name' | 'configuration'>;
  readonly model: Pick<DemoModel, 'llm'>;
  /** Sections in the place of those that the demonstration has otherwise. Default none. */
  readonly sections?: Readonly<Record<string, object | number>>;
}

/**
 * The daemon's configuration; everything that it leaves out is at its default. Commands have no sandbox, so that the demonstration
 * plays on a machine without bubblewrap, and as root; all that they run is the tests of its own project.
 */
export function toDemoConfiguration({ forge, model, sections = {} }: ConfigurationFacts): object {
  return {
    platforms: { [forge.name]: forge.configuration },
    llm: model.llm,
    planning: {},
    // Nothing leaves the machine, whatever collector the environment names.
    telemetry: { enabled: false },
    http: { port: 0 },
    context_storage: { base_dir: 'contexts' },
    workspaces: { base_dir: 'workspaces' },
    tools: { run_command: { allow: ['node'], sandbox: 'off', allow_root: true } },
    ...sections,
  };
}
