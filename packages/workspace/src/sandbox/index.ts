export { type CommandSandbox, chooseSandbox, type SandboxOptions } from './sandbox.ts';
