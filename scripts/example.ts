// `npm run example [NAME]`: runs an example in this process, or lists the examples.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProgram, formatExampleList, listExamples } from './examples/list-examples.ts';
import { repositoryRoot } from './workspace/root.ts';

const [given, ...args] = process.argv.slice(2);
const examples = listExamples(repositoryRoot);
const program = given === undefined ? null : findProgram(examples, given);
if (program !== null) {
  const file = join(repositoryRoot, program);
  process.argv.splice(1, process.argv.length, file, ...args);
  await import(pathToFileURL(file).href);
} else if (given === undefined) {
  console.log(formatExampleList(examples));
} else {
  console.error(`There is no example "${given}" that can be run.\n\n${formatExampleList(examples)}`);
  process.exitCode = 2;
}
