"""A transcriber as docs/transcriber.md of the office describes it, around PocketSphinx: English, small, and often wrong.

Needs Python 3.9, the package pocketsphinx with its own model, and ffmpeg on PATH.
    pip install pocketsphinx==5.1.1
    python transcriber.py 3300       # then TRANSCRIBER_URL=http://127.0.0.1:3300
"""
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pocketsphinx import Decoder

SAMPLE_RATE = 16_000
FRAMES_A_SECOND = 100
SOUND_BYTES_MAX = 8 * 1024 * 1024
SECONDS_MAX = 60


def samples_of(sound):
    """Decodes Ogg with Opus. Returns samples of 16 bits; none where it is no sound."""
    command = ["ffmpeg", "-loglevel", "error", "-f", "ogg", "-i", "pipe:0"]
    command += ["-t", str(SECONDS_MAX), "-ac", "1", "-ar", str(SAMPLE_RATE), "-f", "s16le", "pipe:1"]
    done = subprocess.run(command, input=sound, capture_output=True, timeout=60)
    return done.stdout


# the model is read once; it hears one stretch after the other
DECODER = Decoder(samprate=SAMPLE_RATE, loglevel="FATAL")
TURN = threading.Lock()


def words_of(samples):
    """The words that are heard, with their times in seconds."""
    with TURN:
        DECODER.start_utt()
        DECODER.process_raw(samples, full_utt=True)
        DECODER.end_utt()
        segments = list(DECODER.seg() or [])
    return [
        # "and(2)" is another way to say "and"
        {
            "from": segment.start_frame / FRAMES_A_SECOND,
            "to": (segment.end_frame + 1) / FRAMES_A_SECOND,
            "text": segment.word.split("(")[0],
        }
        for segment in segments
        if segment.word[0] not in "<[+"
    ]


class Transcriber(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if self.path != "/transcribe" or not 0 < length <= SOUND_BYTES_MAX:
            return self.answer(400, {})
        samples = samples_of(self.rfile.read(length))
        if not samples:
            return self.answer(422, {})
        return self.answer(200, {"words": words_of(samples)})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        try:
            self.wfile.write(text)
        except BrokenPipeError:
            """It came too late for a caption."""

    def log_message(self, *_):
        """What is said belongs in no log."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Transcriber)
    print(f"listens at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
