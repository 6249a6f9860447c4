import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assumedAnswers } from './assumed-answers.ts';
import {
  type FieldRefusal,
  type ModelServerRows,
  type RowKind,
  rowKinds,
  type ServerAnswer,
  type ServerRow,
} from './server-row.ts';

/** An answer in a file: its text as in the source, or its values, where the source stores them in another form. */
type Stored<Answer extends ServerAnswer> = Omit<Answer, 'text' | 'isExact'> & {
  readonly text?: string;
  readonly body?: unknown;
};

interface StoredServer extends Pick<ModelServerRows, 'name' | 'baseUrl'> {
  readonly rows: readonly Stored<ServerRow>[];
  readonly rules?: {
    readonly refuses?: readonly Stored<FieldRefusal>[];
    readonly returns?: Stored<FieldRefusal>;
  };
}

/** Reads all servers, in the order of their names. Kinds without a known answer get one that is assumed. */
export function readServers(): readonly ModelServerRows[] {
  const directory = new URL('servers/', import.meta.url);
  const files = readdirSync(fileURLToPath(directory)).filter((file) => file.endsWith('.json'));
  return files
    .map((file) => {
      const server = JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as StoredServer;
      const { refuses = [], returns } = server.rules ?? {};
      return {
        ...server,
        id: file.replace('.json', ''),
        rows: rowKinds.map((kind) => findRow(server.rows, kind)),
        rules: {
          refuses: refuses.map(toAnswer<FieldRefusal>),
          ...(returns === undefined ? {} : { returns: toAnswer<FieldRefusal>(returns) }),
        },
      };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** All answers of a server that are from a public source. */
export function listKnownAnswers({ rows, rules }: ModelServerRows): readonly ServerAnswer[] {
  const { refuses = [], returns } = rules;
  const answers = [...rows, ...refuses, ...(returns === undefined ? [] : [returns])];
  return answers.filter(({ source }) => source !== null);
}

function findRow(rows: readonly Stored<ServerRow>[], kind: RowKind): ServerRow {
  const assumed = { kind, source: null, date: null, ...assumedAnswers[kind] };
  return toAnswer<ServerRow>(rows.find((row) => row.kind === kind) ?? assumed);
}

function toAnswer<Answer extends ServerAnswer>({ body, text, ...answer }: Stored<Answer>): Answer {
  return {
    ...answer,
    text: text ?? JSON.stringify(body),
    isExact: text !== undefined,
  } as unknown as Answer;
}
