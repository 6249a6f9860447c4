export { type CommandSandbox, chooseSandbox } from './sandbox.ts';
