import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { z } from 'zod';
import { listFiles, readFile } from './git-copy.ts';

/** Case of a suite: a broken text, and the value that the suite expects. */
export interface JsonCase {
  readonly file: string;
  readonly text: string;
  readonly expected: unknown;
}

/** Name of a case that tells nothing of its text. */
export function toCaseId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

/** Reads the cases of the test suite of `jsonrepair` that have a literal input and output. */
export function readJsonrepairCases(copy: string): readonly JsonCase[] {
  const file = 'src/index.test.ts';
  const cases: JsonCase[] = [];
  const { program } = parseSync(file, readFile(copy, file));
  walk(program, (node) => {
    const call = asCall(node);
    if (call === null) return;
    const [input] = call.arguments;
    if (call.name === 'assertRepair') add(cases, { file, text: toLiteral(input), output: toLiteral(input) });
    if (call.name !== 'toBe' || call.target?.name !== 'expect') return;
    const repaired = asCall(call.target.arguments[0]);
    if (repaired?.name === 'jsonrepair')
      add(cases, { file, text: toLiteral(repaired.arguments[0]), output: toLiteral(input) });
  });
  return cases;
}

function add(
  cases: JsonCase[],
  {
    file,
    text,
    output,
  }: { readonly file: string; readonly text: string | null; readonly output: string | null },
): void {
  if (text === null || output === null) return;
  try {
    cases.push({ file, text, expected: JSON.parse(output) });
  } catch {
    // Several values in a row are no JSON, and no answer of a model.
  }
}

type Node = Readonly<Record<string, unknown>>;

interface Call {
  readonly name: string;
  readonly arguments: readonly Node[];
  /** The call of whose result a method is called; null if there is none. */
  readonly target: Call | null;
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Node);
  for (const inner of Object.values(node)) walk(inner, visit);
}

function asCall(node: unknown): Call | null {
  const { type, callee, arguments: given } = (node ?? {}) as Node;
  if (type !== 'CallExpression') return null;
  const { name, property, object } = callee as {
    name?: string;
    property?: { name?: string };
    object?: unknown;
  };
  return { name: property?.name ?? name ?? '', arguments: given as readonly Node[], target: asCall(object) };
}

/** Value of a string that is written out, also in parts; null for anything else. */
function toLiteral(node: Node | undefined): string | null {
  if (node === undefined) return null;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
    return quasis.length === 1 ? (quasis[0]?.value.cooked ?? null) : null;
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const [left, right] = [toLiteral(node.left as Node), toLiteral(node.right as Node)];
  return left === null || right === null ? null : left + right;
}

const pythonCases = z.array(z.object({ text: z.string(), expected: z.unknown(), isText: z.boolean() }));

/** Lists comparisons of `repair_json(…)` with a literal. */
const listPythonCases = `
import ast, json, sys
cases = []
for node in ast.walk(ast.parse(sys.stdin.read())):
    if not isinstance(node, ast.Compare) or not isinstance(node.left, ast.Call): continue
    call = node.left
    if getattr(call.func, 'id', '') != 'repair_json' or not call.args: continue
    options = {option.arg for option in call.keywords}
    if options - {'return_objects', 'skip_json_loads', 'ensure_ascii'}: continue
    try: text, expected = ast.literal_eval(call.args[0]), ast.literal_eval(node.comparators[0])
    except (ValueError, SyntaxError): continue
    if not isinstance(text, str): continue
    try: cases.append(json.loads(json.dumps({'text': text, 'expected': expected, 'isText': 'return_objects' not in options})))
    except TypeError: continue
print(json.dumps(cases))
`;

/** Reads the cases of the test suite of `json_repair` that have a literal input and output. Needs Python. */
export function readPythonCases(copy: string): readonly JsonCase[] {
  const files = listFiles(copy, 'tests/').filter((file) => /test_(?:json_repair|parse_\w+)\.py$/.test(file));
  return files.flatMap((file) => {
    const output = execFileSync('python3', ['-c', listPythonCases], { input: readFile(copy, file) });
    return pythonCases.parse(JSON.parse(output.toString())).flatMap(({ text, expected, isText }) => {
      const cases: JsonCase[] = [];
      if (!isText) cases.push({ file, text, expected });
      else if (typeof expected === 'string') add(cases, { file, text, output: expected });
      return cases;
    });
  });
}
