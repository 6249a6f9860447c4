import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOutgoingGate, listPlaces, type OutgoingGate } from '@agent/text/outgoing';
import type { LoadedConfig } from './config/load-config.ts';
import { toRunDirectories } from './config/run-directories.ts';
import { collectSecrets } from './config/secrets.ts';
import { endpointAddressOf } from './model/check-model-settings.ts';
import { listNamedPlatforms } from './platforms/table.ts';

/** The gate of a daemon with this configuration. Of a model that a module brings, no address is known. */
export function openOutgoingGate({ config, environment, directory }: LoadedConfig): OutgoingGate {
  const { contexts, paused } = toRunDirectories({ config, directory });
  const places = listPlaces({
    directories: {
      [directory]: 'the directory of the configuration',
      [contexts]: 'the directory of runs',
      [paused]: 'the directory of paused runs',
      [resolve(directory, config.workspaces.base_dir)]: 'the directory of workspaces',
      [environment.HOME ?? homedir()]: 'the home directory',
      [fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')]: 'the program',
    },
    endpoints: config.llm.module === null ? [endpointAddressOf(config.llm)] : [],
    publicHosts: listNamedPlatforms(config.platforms).flatMap(({ section: { base_url: url } }) =>
      URL.canParse(url) ? [new URL(url).hostname] : [],
    ),
  });
  const { allow_paths: paths, allow_fingerprints: fingerprints } = config.outgoing;
  const secrets = collectSecrets(config, environment);
  return createOutgoingGate({ secrets, places, allow: { paths, fingerprints } });
}
