export { type CommandSandbox, chooseSandbox, type SandboxOptions } from './sandbox.ts';
export { findNamedProgram } from './sandbox-arguments.ts';
