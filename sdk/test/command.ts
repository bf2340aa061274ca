import { spawn } from 'node:child_process'

/** What a program writes on stdout; where it fails, an error with all that it wrote. */
export function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  // npm tells its scripts its own settings and paths, which are not those of the folder in question.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|NODE_TEST_CONTEXT$|NODE_OPTIONS$)/.test(name)),
  )
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) =>
      code === 0
        ? done(stdout)
        : failed(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)),
    )
  })
}
