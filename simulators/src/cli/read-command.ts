import { parseArgs } from 'node:util';
import { parseYaml } from '../world/parse-world.ts';
import { type ServiceName, serviceNames } from '../world/start-world.ts';
import { WorldError } from '../world/world-error.ts';

/** Command line that makes no sense; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Command, read but not carried out. */
export interface Command {
  readonly services: 'all' | ServiceName;
  /** Path of the file with the seed; null for the example's world. */
  readonly seed: string | null;
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  readonly faults: readonly ServiceFault[];
}

/** A fault, and the simulator that it befalls. */
export interface ServiceFault {
  readonly service: ServiceName;
  readonly fault: unknown;
}

/** Help of the program. */
export const usage = `Usage: agent-simulators <github|gitlab|discord|model|all> [options]

Plays servers on this machine, prints their addresses as a line of JSON, and serves until it is signaled.

  --seed FILE        world to begin with, YAML or JSON; default: a small example (its token is example-token)
  --port N           port of the one simulator; default 0, a free one
  --host ADDRESS     address to listen at; default 127.0.0.1, which no other machine reaches
  --admin-port N     port of the admin endpoint, on 127.0.0.1 whatever --host says; default 0, a free one
  --fault FAULT      makes requests fail, as a word or as YAML; may be repeated, and with all names its simulator first:
                     --fault bad-gateway-html   --fault '{ kind: slow, delayMs: 800, times: always }'
                     --fault model=hang         --fault 'github={ kind: primary-limit, path: /issues, times: 3 }'
  --help

The admin endpoint: GET / (addresses), GET /requests/NAME, POST /faults/NAME (a fault as above), POST /reset.
`;

/** @throws CommandError with what is wrong. Null: help is wanted. */
export function readCommand(args: readonly string[]): Command | null {
  const { values, positionals } = parse(args);
  if (values.help === true) return null;
  const [name, ...others] = positionals;
  if (name === undefined) throw new CommandError('Name a simulator.');
  if (others.length > 0) throw new CommandError(`One simulator, or all; not also ${others.join(', ')}.`);
  const services = toServices(name);
  if (services === 'all' && values.port !== undefined)
    throw new CommandError('--port goes with one simulator; all of them listen at free ports.');
  if (values.host === '') throw new CommandError('--host is empty; without it only this machine gets in.');
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
  throw new CommandError(`There is no simulator "${name}"; there are ${serviceNames.join(', ')}, and all.`);
}

function toPort(written: string | undefined, flag: string): number {
  const port = Number(written ?? 0);
  if (/^\d+$/.test(written ?? '0') && port < 65_536) return port;
  throw new CommandError(`${flag} is a number from 0 to 65535, not "${written}".`);
}

function toFault(written: string, services: Command['services']): ServiceFault {
  const [, named, rest] = /^(\w+)=(.*)$/s.exec(written) ?? [];
  const service = serviceNames.find((name) => name === named) ?? services;
  if (named !== undefined && service !== named) throw new CommandError(`There is no simulator "${named}".`);
  if (service === 'all')
    throw new CommandError(`--fault ${written}: say whose, such as --fault github=${written}`);
  if (services !== 'all' && service !== services)
    throw new CommandError(`--fault ${written}: ${service} does not run here.`);
  try {
    return { service, fault: parseYaml(rest ?? written, '--fault') };
  } catch (error) {
    throw error instanceof WorldError ? new CommandError(error.message, { cause: error }) : error;
  }
}
