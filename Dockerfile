# The image of the bot. Build and run it with compose.yaml; docs/hosting.md shows how.
#
# The tag names Python's minor version and Debian's release: building with --pull brings the fixes of
# both and never a newer Python, for which the pins in requirements.txt may have no packages.
FROM python:3.13-slim-trixie AS base

# ---- The bot's virtual environment; nothing else of this stage reaches the image. ----
FROM base AS builder

WORKDIR /src

# What the bot runs on. It changes seldom, so that most builds take this layer from the cache.
COPY requirements-wheel.txt requirements.txt ./
RUN --mount=type=cache,target=/root/.cache/pip \
    python -m venv /opt/build \
    && /opt/build/bin/pip install --require-hashes --requirement requirements-wheel.txt \
    && python -m venv --without-pip /opt/gunbai \
    && /opt/build/bin/pip --python /opt/gunbai/bin/python install --no-compile \
        --only-binary :all: --require-hashes --requirement requirements.txt

COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY policy_data policy_data
COPY locales locales
# Compiled here, because the bot's file system is read-only. "unchecked-hash": never looks at dates.
RUN /opt/build/bin/hatchling build --target wheel \
    && /opt/build/bin/pip --python /opt/gunbai/bin/python install --no-compile \
        --no-index --no-deps dist/*.whl \
    && python -m compileall -qq --invalidation-mode unchecked-hash /opt/gunbai/lib

# ---- The image. ----
FROM base

LABEL org.opencontainers.image.title="Gunbai" \
    org.opencontainers.image.description="Penalty questions at trading-card tournaments, answered in Japanese and English" \
    org.opencontainers.image.version="0.1.0" \
    org.opencontainers.image.licenses="MIT"

# The base ships the standard library without compiled files. With them a start takes half the time,
# and the health check asks every half minute. pip is not needed any more.
RUN groupadd --system --gid 10001 gunbai \
    && useradd --system --uid 10001 --gid gunbai --home-dir /data --no-create-home \
        --shell /usr/sbin/nologin gunbai \
    && install --directory --owner gunbai --group gunbai --mode 0700 /data \
    && python -m pip uninstall --yes --root-user-action ignore pip \
    && python -m compileall -qq --invalidation-mode unchecked-hash \
        "$(python -c 'import os; print(os.path.dirname(os.__file__))')"

COPY --from=builder /opt/gunbai /opt/gunbai

ENV PATH=/opt/gunbai/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    GUNBAI_DATABASE=sqlite:////data/gunbai.db \
    GUNBAI_CACHE=/data/cache \
    GUNBAI_PORT=8080

USER 10001:10001
WORKDIR /data
VOLUME /data

STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["gunbai", "health"]

ENTRYPOINT ["gunbai"]
CMD ["run"]
