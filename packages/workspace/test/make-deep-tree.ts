import { execFileSync } from 'node:child_process';

const program = `
const [top, name, depth] = process.argv.slice(1);
const fs = require('node:fs');
fs.mkdirSync(top, { recursive: true });
process.chdir(top);
for (let index = 0; index < Number(depth); index += 1) {
  fs.mkdirSync(name);
  process.chdir(name);
}
fs.writeFileSync('end', '');`;

/** Makes directories of one name inside each other as a program may: step by step, deeper than a path can name. */
export function makeDeepTree(top: string, name: string, depth: number): void {
  execFileSync(process.execPath, ['-e', program, top, name, String(depth)]);
}
