"""A worker as livekit-agents has it: it joins, says that it is there, and stays until it is told to go."""

import os

from livekit.agents import JobContext, WorkerOptions, cli


async def entrypoint(ctx: JobContext) -> None:
    await ctx.connect()
    print(f"joined {ctx.room.name} with {ctx.job.metadata}", flush=True)


if __name__ == "__main__":
    cli.run_app(
        WorkerOptions(
            entrypoint_fnc=entrypoint,
            agent_name=os.environ["AGENT_NAME"],
            num_idle_processes=1,
            port=0,
            # the machine of a trial is always busy
            load_fnc=lambda *_: 0.0,
        )
    )
