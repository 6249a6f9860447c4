import { parseArgs } from 'node:util';
import { parseYaml } from '../world/parse-world.ts';
import { type ServiceName, serviceNames } from '../world/start-world.ts';
import { WorldError } from '../world/world-error.ts';

/** Invalid command line. The message says what is wrong. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Parsed command line. */
export interface Command {
  readonly services: 'all' | ServiceName;
  /** Path of the seed file; null for the built-in example. */
  readonly seed: string | null;
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  readonly faults: readonly ServiceFault[];
}

/** Fault and the simulator that it applies to. */
export interface ServiceFault {
  readonly service: ServiceName;
  readonly fault: unknown;
}

/** Help text of `agent-simulators`. */
export const usage = `Usage: agent-simulators <github|gitlab|discord|model|all> [options]

Starts simulated servers on this machine, prints their URLs as one line of JSON, and runs until it receives a signal.

  --seed FILE        initial data, YAML or JSON (default: a small example with the token example-token)
  --port N           port of the simulator, if only one is started (default: 0, any free port)
  --host ADDRESS     address to listen on (default: 127.0.0.1, which other machines cannot reach)
  --admin-port N     port of the admin endpoint, always on 127.0.0.1 (default: 0, any free port)
  --fault FAULT      make requests fail, as a name or as YAML. Repeatable. With all, put the simulator in front:
                     --fault bad-gateway-html   --fault '{ kind: slow, delayMs: 800, times: always }'
                     --fault model=hang         --fault 'github={ kind: primary-limit, path: /issues, times: 3 }'
  --help             show this help

Admin endpoint: GET / (URLs), GET /requests/NAME (received requests), POST /faults/NAME (add a fault), POST /reset.
`;

/** Parses the command line. Null for `--help`. @throws CommandError */
export function readCommand(args: readonly string[]): Command | null {
  const { values, positionals } = parse(args);
  if (values.help === true) return null;
  const [name, ...others] = positionals;
  if (name === undefined) throw new CommandError('Missing simulator name.');
  if (others.length > 0)
    throw new CommandError(`Unexpected argument: ${others.join(' ')}. Start one simulator, or all.`);
  const services = toServices(name);
  if (services === 'all' && values.port !== undefined)
    throw new CommandError('--port needs a single simulator. With all, each simulator gets a free port.');
  if (values.host === '') throw new CommandError('--host is empty. Leave it out to listen on 127.0.0.1.');
  return {
    services,
    seed: values.seed ?? null,
    host: values.host ?? '127.0.0.1',
    port: toPort(values.port, '--port'),
    adminPort: toPort(values['admin-port'], '--admin-port'),
    faults: (values.fault ?? []).map((written) => toFault(written, services)),
  };
}

function parse(args: readonly string[]) {
  const options = {
    seed: { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    'admin-port': { type: 'string' },
    fault: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw new CommandError((cause as Error).message, { cause });
  }
}

function toServices(name: string): Command['services'] {
  const known = name === 'all' ? name : serviceNames.find((service) => service === name);
  if (known !== undefined) return known;
  throw new CommandError(`There is no simulator "${name}". Use ${serviceNames.join(', ')}, or all.`);
}

function toPort(written: string | undefined, flag: string): number {
  const port = Number(written ?? 0);
  if (/^\d+$/.test(written ?? '0') && port < 65_536) return port;
  throw new CommandError(`${flag} must be a number from 0 to 65535, not "${written}".`);
}

function toFault(written: string, services: Command['services']): ServiceFault {
  const [, named, rest] = /^(\w+)=(.*)$/s.exec(written) ?? [];
  const service = serviceNames.find((name) => name === named) ?? services;
  if (named !== undefined && service !== named) throw new CommandError(`There is no simulator "${named}".`);
  if (service === 'all')
    throw new CommandError(`--fault ${written}: name the simulator, such as --fault github=${written}`);
  if (services !== 'all' && service !== services)
    throw new CommandError(`--fault ${written}: the simulator ${service} is not started.`);
  try {
    return { service, fault: parseYaml(rest ?? written, '--fault') };
  } catch (error) {
    throw error instanceof WorldError ? new CommandError(error.message, { cause: error }) : error;
  }
}
